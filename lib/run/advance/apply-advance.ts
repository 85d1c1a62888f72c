import { sealBefore } from '../../log/seal/seal-before.ts';
import { standingAdvance } from '../../log/turn/approved-in-advance.ts';
import { type Call, currentAsker } from '../../log/turn/turn.ts';
import { type EventOf, isSameJson, type Repeat } from '../../protocol/index.ts';
import { mayAnswer } from '../../rights/right-to-answer.ts';
import { withCurrentId } from '../../settings/former-ids.ts';
import { detailsOf } from '../../settings/tools/tool-details.ts';
import type { DueQuestion } from '../question/question-due.ts';
import type { Run } from '../run.ts';
import { expectedQuestion, isAbout } from './expected-question.ts';
import { onlyWhenDue } from './only-when-due.ts';

type Advance = EventOf<'advance-approved'>;

/**
 * Uses a call's pre-approval instead of its due question, if the approval is still valid and the
 * person who gave it could answer this question now. Otherwise the question is asked. The use becomes durable
 * with the call's start.
 *
 * @param due the event that would ask
 * @param repeatOf present if the same call ran or was approved recently: the person is then asked
 * @returns false when the question must be asked
 * @source ADR 0041
 */
export async function applyAdvance(
  run: Run,
  call: Call,
  due: DueQuestion,
  repeatOf: Repeat | undefined,
): Promise<boolean> {
  const { journal, runId } = run;
  const given = standingAdvance(journal.turn, call);
  if (!given || repeatOf || !(await isStillValid(run, call, due, given))) return false;
  const { approvalId, toolCallId, digest } = due;
  journal.stage(runId, {
    type: 'approval-granted',
    approvalId,
    toolCallId,
    grantId: given.grantId,
    by: given.by,
    digest,
    advance: true,
  });
  return true;
}

async function isStillValid(run: Run, call: Call, due: DueQuestion, given: Advance): Promise<boolean> {
  const { settings, journal, clock, pauses, acting } = run;
  const { requested } = call;
  const question = expectedQuestion(call, due, journal.head);
  if (!question || !isAbout(given, question)) return false;
  if (!isSameJson(due.runsAs ?? null, requested.runsAs ?? null)) return false;
  await pauses.ready();
  if (onlyWhenDue(run, journal.turn, call, question)) return false;
  const { approvalValidForMs = settings.approvalValidForMs } = detailsOf(settings, requested.toolName);
  if (approvalValidForMs !== undefined && clock.now() - given.at > approvalValidForMs) return false;
  // Somebody else may have let the run continue. The person who approved is then known only by name, without
  // a role.
  const giver = currentAsker({ by: withCurrentId(settings, given.by) }, acting);
  return (await mayAnswer(settings, giver, question)) && isProven(run, call, given);
}

/** Whether the sealed record proves that a person gave the approval. @source ADR 0023 */
async function isProven(
  { auditor, settings, chatId, logger }: Run,
  call: Call,
  given: Advance,
): Promise<boolean> {
  if (!auditor || auditor.vouchesFor(given)) return true;
  const previous = await sealBefore(settings.store, chatId, given.seq);
  if (auditor.check(chatId, previous, given, call) === 'sealed') return true;
  const { toolCallId, toolName } = call.requested;
  logger.error('A pre-approval was not used: it is not in the sealed record.', {
    chatId,
    toolCallId,
    toolName,
  });
  return false;
}
