import type { Auditor } from '../../log/seal/auditor.ts';
import type { ChatHead } from '../../log/store/index.ts';
import { timesUnanswered } from '../../log/turn/times-unanswered.ts';
import { type Call, isImported, type Turn } from '../../log/turn/turn.ts';
import type { Clock, Logger, Principal, Question } from '../../protocol/index.ts';
import { mayAnswer } from '../../rights/right-to-answer.ts';
import { mayStand } from '../../rights/rights-to.ts';
import { stepUpFor } from '../../rights/step-up.ts';
import { recordedIds } from '../../settings/former-ids.ts';
import type { StandingClaim } from '../../settings/plugin/plugin-declaration.ts';
import { expectedQuestion } from '../advance/expected-question.ts';
import type { Tools } from '../call/input/parse-input.ts';
import type { Run } from '../run.ts';
import type { DueQuestion } from './question-due.ts';
import { definitionDigest } from './tool-definition.ts';

/** How often another writer may change what a plugin has found, before the question is asked. */
const mostAttempts = 10;

/**
 * Uses a standing approval instead of a question that is due, if a plugin names one that holds. The use and the plugin's records
 * are one append, which is refused if the approval was revoked before.
 *
 * @param due the event that would ask
 * @returns false when the question must be asked
 * @throws Conflict
 * @source ADR 0015, ADR 0056
 */
export async function applyStanding(run: Run, call: Call, due: DueQuestion): Promise<boolean> {
  const { journal, runId, asker, ids } = run;
  const { toolCallId, digest } = due;
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const claim = await findStanding(run, journal, call, due, asker);
    if (!claim) return false;
    const { approval, plugin, records } = claim;
    const { id: grantId, by } = approval;
    const use = { approvalId: ids.approval(), toolCallId, grantId, plugin, by, digest };
    if (await journal.commitIf(records, runId, { type: 'approval-granted', ...use })) return true;
  }
  return false;
}

/** A claim, and the plugin that makes it. */
type Claim = StandingClaim & { readonly plugin: string };

/**
 * The first standing approval that a plugin names and that holds: the person who gave it asks for the call and could answer the
 * question now, the tool is what it was then, and the record proves it. None stands for an imported call, nor for one that was
 * asked about again because nobody had answered.
 *
 * @param asker for whom the call is made
 * @source ADR 0015, ADR 0036, ADR 0048, ADR 0056
 */
export async function findStanding(
  tools: Tools & { readonly auditor?: Auditor; readonly logger: Logger; readonly clock: Clock },
  { head: chat, turn }: { readonly head: Pick<ChatHead, 'id' | 'ownerId'>; readonly turn: Turn },
  call: Call,
  due: DueQuestion,
  asker: Principal,
): Promise<Claim | undefined> {
  const { settings, clock } = tools;
  const plugins = (settings.plugins ?? []).filter(({ standing }) => standing);
  if (plugins.length === 0 || isImported(turn, call) || timesUnanswered(turn, call) > 0) return undefined;
  const { toolName, input } = call.requested;
  const question = expectedQuestion(call, due, chat);
  if (!question || !mayStand(settings, question)) return undefined;
  if (stepUpFor(settings, asker, toolName)?.needed) return undefined;
  if (!(await mayAnswer(settings, asker, question))) return undefined;
  // An approval has the id that the person had then.
  const askerIds = recordedIds(settings, asker);
  const asked = { settings, question, input, asker, askerIds, now: clock.now() };
  const holds = await standingCheck(tools, question, askerIds);
  for (const { name: plugin, standing } of plugins) {
    const claims = (await standing?.(asked)) ?? [];
    const claim = claims.find(({ approval }) => holds(plugin, approval));
    if (claim) return { ...claim, plugin };
  }
  return undefined;
}

/** Whether an approval that a plugin names is one of these people's ids, for the tool as it is, and in the sealed record. */
async function standingCheck(
  tools: Tools & { readonly auditor?: Auditor; readonly logger: Logger },
  { chatId, toolName }: Question,
  askerIds: readonly string[],
): Promise<(plugin: string, approval: StandingClaim['approval']) => boolean> {
  const { auditor, logger } = tools;
  const definition = await definitionDigest(tools, toolName);
  return (plugin, approval) => {
    if (!askerIds.includes(approval.by.id)) return false;
    if (approval.toolName !== toolName || approval.definition !== definition) return false;
    if (!auditor || auditor.provesApproval(approval)) return true;
    const facts = { chatId, toolName, plugin, grantId: approval.id };
    logger.error('A standing approval was not used: it is not in the sealed record.', facts);
    return false;
  };
}
