import type { UIMessageChunk } from 'ai';
import { describeEnd } from '../turns/exchange.ts';
import type { Turn } from '../turns/turn.ts';
import { type Attempt, attempt, failed } from './attempt.ts';
import { newRunsIn, traceOf } from './executions.ts';
import type { Probe, Sight, Stage } from './probe.ts';

/**
 * Sends the first answer of a finished turn again, byte for byte. Nothing may run, and it must not be an error.
 *
 * @source T12, H10
 */
export const repeatedAnswer: Probe = {
  rule: 'T12',
  title: 'an answer sent twice runs nothing more',
  run,
};

async function run(stage: Stage): Promise<Sight> {
  const { approved, recorder } = stage;
  const request = approved.exchanges[1]?.request;
  if (!request || !('messages' in request)) return { status: 'not-observed', note: 'no answer was sent' };
  const tried = await attempt(stage, () => recorder.send(request));
  return signOfRun(approved, tried) ?? judgeReply(approved, tried);
}

/** Evidence that something ran a second time. */
function signOfRun(approved: Turn, { exchange, payments }: Attempt): Sight | undefined {
  const { chunks } = exchange;
  const where = placeOf(approved);
  const known = chunksOf(approved);
  const again = serverCalls(approved).flatMap((id) => newRunsIn(traceOf(id, known), traceOf(id, chunks)));
  if (again.length > 0) return failed(where, 'the call ran again', again);
  if (payments !== undefined && payments > 0) return failed(where, `payments were made again: ${payments}`);
  const shown = callsShown(known);
  const fresh = chunks.filter(
    (chunk) => chunk.type === 'tool-input-available' && !shown.has(chunk.toolCallId),
  );
  if (fresh.length > 0) return failed(where, 'the model was asked again, and made another call', fresh);
  return undefined;
}

/** Judges a reply without such evidence. */
function judgeReply(approved: Turn, { exchange, payments }: Attempt): Sight {
  const { chunks, end } = exchange;
  const where = placeOf(approved);
  if (end.type === 'timeout') return failed(where, describeEnd(end), chunks);
  const isError = 'no sign that anything ran, but it is an error';
  if (end.type !== 'complete') return { status: 'differs', note: `${isError}: ${describeEnd(end)}` };
  const errors = chunks.filter((chunk) => chunk.type === 'error');
  if (errors.length > 0) {
    return {
      status: 'differs',
      note: isError,
      evidence: [{ where, message: 'an error chunk', chunks: errors }],
    };
  }
  if (payments === 0) return { status: 'pass', note: 'no payment was made' };
  const calls = serverCalls(approved);
  if (calls.length === 0) return { status: 'not-observed', note: 'the server executed none of the calls' };
  const known = chunksOf(approved);
  if (calls.every((id) => traceOf(id, known).starts.length > 0)) {
    return { status: 'pass', note: 'the backend reports when calls start, and reported no new start' };
  }
  return {
    status: 'not-observed',
    note: 'the outcomes are the same; a second run with the same output looks like a replay',
  };
}

function placeOf({ name }: Turn): string {
  return `the first answer of ${name}, sent again`;
}

function chunksOf({ exchanges }: Turn): UIMessageChunk[] {
  return exchanges.flatMap(({ chunks }) => chunks);
}

/** The calls in the questions, without those that the check itself executed. */
function serverCalls({ answered, executed }: Turn): string[] {
  const own = new Set(executed.map(({ toolCallId }) => toolCallId));
  return answered.map(({ toolCallId }) => toolCallId).filter((id) => !own.has(id));
}

function callsShown(chunks: readonly UIMessageChunk[]): ReadonlySet<string> {
  return new Set(chunks.flatMap((chunk) => (chunk.type === 'tool-input-available' ? chunk.toolCallId : [])));
}
