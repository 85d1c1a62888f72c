import { type Call, callOfQuestion } from '../../log/turn/turn.ts';
import { whyUnproven } from '../call/unproven-calls.ts';
import type { Run } from '../run.ts';
import type { Settled } from './pending-question.ts';
import type { WaitingCall } from './waiting-calls.ts';

/** Takes back the calls that waited here for the answer that begins this run. @source ADR 0037 */
export async function takeBack(
  run: Run,
  interrupted: readonly Call[],
): Promise<{ here: readonly WaitingCall<Run>[]; gone: readonly Call[] }> {
  const waiting = run.waiting.get(run.chatId);
  const asked = waiting && callOfQuestion(run.journal.turn, waiting.approvalId);
  return run.waiting.take(run, interrupted, asked ? await answerTo(run, asked) : { action: 'cancel' });
}

async function answerTo(run: Run, call: Call): Promise<Settled> {
  const { answered, requested } = call;
  if (!answered) return { action: 'cancel' };
  const { approved, input = requested.input, reason } = answered;
  if (!approved) return { action: 'decline', reason };
  return (await isProven(run, call)) ? { action: 'accept', content: input } : { action: 'cancel' };
}

/** A row that was inserted into the database must not reach the call. @source ADR 0023 */
async function isProven({ auditor, settings, chatId, logger }: Run, call: Call): Promise<boolean> {
  if (!auditor) return true;
  const why = await whyUnproven({ auditor, settings, store: settings.store }, chatId, call);
  if (why === undefined) return true;
  const { toolCallId, toolName } = call.requested;
  const facts = { chatId, toolCallId, toolName, why };
  logger.error('An answer did not reach its call: it is not in the sealed record.', facts);
  return false;
}
