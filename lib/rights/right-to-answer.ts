import { type AnswerRule, isPrincipal, type Person, type Principal, personOf } from '../protocol/index.ts';
import type { ApproverRule, FlowSettings, RuledQuestion } from '../settings/flow-settings.ts';
import { detailsOf } from '../settings/tools/tool-details.ts';
import { addedRules } from './added-rules.ts';
import { giversFor, type RightsSettings } from './givers.ts';
import { ruleAllows } from './rule-allows.ts';
import { ruledQuestion } from './ruled-question.ts';

/** The rule by which a person may answer a question, and whose right this is, unless it is their own. */
export type RightToAnswer = { readonly rule: AnswerRule; readonly onBehalfOf?: Person };

/** By which right this principal may answer: its own, or that of a person who lets it. @source ADR 0049 */
export async function rightToAnswer(
  settings: RightsSettings,
  principal: Principal,
  question: RuledQuestion,
): Promise<RightToAnswer | undefined> {
  if (!isPrincipal(principal)) return undefined;
  const ruled = ruledQuestion(settings, question);
  const rule = await ruleFor(settings, principal, ruled);
  return rule ? { rule } : rightOfGiver(settings, principal, ruled);
}

export async function ownRight(
  settings: FlowSettings,
  principal: Principal,
  question: RuledQuestion,
): Promise<AnswerRule | undefined> {
  return isPrincipal(principal) ? ruleFor(settings, principal, ruledQuestion(settings, question)) : undefined;
}

export async function mayAnswer(
  settings: FlowSettings,
  principal: Principal,
  question: RuledQuestion,
): Promise<boolean> {
  return (await ownRight(settings, principal, question)) !== undefined;
}

/**
 * Every rule that exists must allow the answer. Default: only the owner may. Added rules replace the tool's rule and the
 * owner, not the flow's rule.
 *
 * @source ADR 0015, ADR 0022, ADR 0048
 */
async function ruleFor(
  settings: FlowSettings,
  principal: Principal,
  question: RuledQuestion,
): Promise<AnswerRule | undefined> {
  const { id: approvalId, chatId, toolName, ownerId } = question;
  const allows = (name: string, rule: ApproverRule) =>
    ruleAllows(settings, { rule: name, chatId, approvalId }, principal, question, rule);

  const { mayAnswer: rule } = settings;
  if (rule && !(await allows('mayAnswer', rule))) return undefined;
  const { approvers } = detailsOf(settings, toolName);
  if (approvers) {
    if (await allows(`toolDetails.${toolName}.approvers`, approvers)) return rule ? 'both' : 'approvers';
  } else if (rule) return 'flow';
  else if (ownerId === principal.id) return 'owner';

  for (const added of addedRules(settings, principal, question)) {
    if (await allows(added.name, added.rule)) return `plugin:${added.plugin}`;
  }
  return undefined;
}

/**
 * The right of the first giver who could answer this question now. What others let the giver use does not count. The asker of
 * a question never answers it, by anybody's right.
 *
 * For edited arguments, the giver must be allowed to approve them as if they had written them, and as what their author wrote.
 *
 * @source ADR 0049
 */
async function rightOfGiver(
  settings: RightsSettings,
  principal: Principal,
  question: RuledQuestion,
): Promise<RightToAnswer | undefined> {
  const { askedBy, editedBy } = question;
  if (askedBy.id === principal.id) return undefined;
  for await (const giver of giversFor(settings, principal, question)) {
    const rule = await ruleFor(settings, giver, question);
    if (!rule) continue;
    const onBehalfOf = personOf(giver);
    if (editedBy && !(await ruleFor(settings, giver, { ...question, editedBy: onBehalfOf }))) continue;
    return { rule, onBehalfOf };
  }
  return undefined;
}
