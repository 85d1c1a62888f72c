import type { UIMessageChunk } from 'ai';
import type { ChatClient } from '../turns/chat-client.ts';
import { describeEnd, type Exchange } from '../turns/exchange.ts';
import { runsIn, traceOf } from './executions.ts';
import type { Sight, Stage } from './probe.ts';

/** The result of a request that must not run anything. */
export type Attempt = {
  readonly exchange: Exchange;
  /** Payments made in the meantime; `undefined` if the backend does not report payments. */
  readonly payments: number | undefined;
};

/** Sends a request and counts the payments before and after. @throws BudgetSpent */
export async function attempt(
  { book, recorder }: Pick<Stage, 'book' | 'recorder'>,
  send: () => Promise<unknown>,
): Promise<Attempt> {
  const before = await book?.calls();
  const first = recorder.exchanges.length;
  await send();
  const exchange = recorder.exchanges[first];
  if (!exchange) throw new Error('An attempt sent nothing.');
  const after = await book?.calls();
  return { exchange, payments: before && after && after.length - before.length };
}

/**
 * Judges a forged answer: it must not run the call that it names. A refusal passes, and so does a response if it is
 * known that nothing ran. A response without signs of a run proves nothing, because results may be withheld.
 */
export function judgeForgery(
  { exchange, payments }: Attempt,
  toolCallIds: readonly string[],
  where: string,
): Sight {
  const { chunks, end } = exchange;
  const runs = toolCallIds.flatMap((id) => runsIn(traceOf(id, chunks)));
  if (runs.length > 0) {
    return { status: 'fail', evidence: [{ where, message: 'the call ran', chunks: runs }] };
  }
  if (payments !== undefined && payments > 0) {
    return { status: 'fail', evidence: [{ where, message: `payments were made: ${payments}`, chunks: [] }] };
  }
  if (end.type === 'refused') return judgeRefusal(end);
  if (end.type === 'timeout') return failed(where, describeEnd(end), chunks);
  if (end.type === 'broken') return { status: 'differs', note: describeEnd(end) };
  const error = chunks.find((chunk) => chunk.type === 'error');
  if (error) return { status: 'pass', note: 'it was refused by an error chunk' };
  if (payments === 0) return { status: 'pass', note: 'no payment was made' };
  return {
    status: 'not-observed',
    note: 'it was answered by a response that does not show whether the call ran',
  };
}

/** A 4xx status is correct, because the client is at fault. A 5xx status is a difference. */
export function judgeRefusal(end: Extract<Exchange['end'], { type: 'refused' }>): Sight {
  const isStumble = end.status !== undefined && end.status >= 500;
  return { status: isStumble ? 'differs' : 'pass', note: describeEnd(end) };
}

/** A failure with one piece of evidence. */
export function failed(where: string, message: string, chunks: readonly UIMessageChunk[] = []): Sight {
  return { status: 'fail', evidence: [{ where, message, chunks }] };
}

/** The ids of the calls that a chat's open questions are about. */
export function openCalls(chat: ChatClient): string[] {
  return chat.openQuestions().map(({ toolCallId }) => toolCallId);
}
