import { type AnswerRule, isPrincipal, type Principal } from '../protocol/index.ts';
import { requestTool } from '../settings/agent-requests/agent-requests.ts';
import type { EscalationStep } from '../settings/escalation/escalation.ts';
import { escalationFor } from '../settings/escalation/escalation-plan.ts';
import type { ApproverRule, FlowSettings, RuledQuestion } from '../settings/flow-settings.ts';
import { asNow, idNow } from '../settings/former-ids.ts';
import { detailsOf } from '../settings/tools/tool-details.ts';
import { approverRuleOf } from '../settings/votes/required-approvals.ts';
import { asRuled, isAsker } from './as-ruled.ts';
import { delegatedRight, type RightUsed, type RuledSettings } from './delegated-right.ts';
import { isYes } from './is-yes.ts';

/** Whether this principal may answer a question. @see answerRight */
export async function mayAnswer(
  settings: FlowSettings,
  principal: Principal,
  question: RuledQuestion,
): Promise<boolean> {
  return (await answerRight(settings, principal, question)) !== undefined;
}

/**
 * The rule by which this principal may answer a question: every rule that exists, the flow's and the tool's, must allow it.
 * Default: only the chat's owner may. A recorded step of the escalation takes the place of the tool's rule and of the owner,
 * but not of the flow's rule. Only `true` from a rule counts as permission.
 *
 * @returns `undefined` if the principal may not answer
 * @source ADR 0015, ADR 0022, ADR 0048
 */
async function answerRight(
  settings: FlowSettings,
  principal: Principal,
  question: RuledQuestion,
): Promise<AnswerRule | undefined> {
  if (!isPrincipal(principal)) return undefined;
  const { id: approvalId, chatId, toolName } = question;
  const approvers = approverRuleOf(settings, toolName);
  const who = asNow(settings, principal);
  const ruled = asRuled(settings, question);
  const allows = (name: string, rule: ApproverRule) =>
    isYes(settings, name, { chatId, approvalId }, () => rule(who, ruled));

  const { mayAnswer: rule } = settings;
  if (rule && !(await allows('mayAnswer', rule))) return undefined;
  if (approvers) {
    const name = detailsOf(settings, toolName).approvers ? 'approvers' : 'approvals.of';
    if (await allows(`toolDetails.${toolName}.${name}`, approvers)) return rule ? 'both' : 'approvers';
  } else if (rule) return 'flow';
  else if (idNow(settings, question.ownerId) === who.id) return 'owner';

  for (const [index, { to }] of recordedSteps(settings, principal, question).entries()) {
    if (await allows(`escalation.steps[${index}].to`, to)) return 'escalation';
  }
  return undefined;
}

/** The steps that are in the log. The agent that asked can never answer. */
function recordedSteps(
  settings: FlowSettings,
  principal: Principal,
  question: RuledQuestion,
): readonly EscalationStep[] {
  const { toolName, escalation } = question;
  if (toolName === requestTool && isAsker(settings, principal, question)) return [];
  const steps = escalationFor(settings, toolName)?.steps ?? [];
  return steps.slice(0, escalation?.step ?? 0);
}

/**
 * By whose right this principal may answer a question: its own if it has one, otherwise that of a person who delegated it.
 *
 * @returns `undefined` if it may not answer
 * @source ADR 0049
 */
export async function rightToAnswer(
  settings: RuledSettings,
  principal: Principal,
  question: RuledQuestion,
): Promise<RightUsed | undefined> {
  if (!isPrincipal(principal)) return undefined;
  const rule = await answerRight(settings, principal, question);
  if (rule) return { rule };
  return delegatedRight(settings, principal, question, (giver, asked) => answerRight(settings, giver, asked));
}
