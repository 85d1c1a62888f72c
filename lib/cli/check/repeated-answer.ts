import type { UIMessageChunk } from 'ai';
import { attempt, failed } from './attempt.ts';
import { tellEnd } from './exchange.ts';
import { newRunsIn, traceOf } from './executions.ts';
import type { Probe, Sight, Stage } from './probe.ts';

/**
 * The first answer of a finished turn is sent again, byte for byte. Nothing may run, and it is no error.
 *
 * @source contract T12, H10
 */
export const repeatedAnswer: Probe = {
  rule: 'T12',
  title: 'an answer sent twice runs nothing more',
  run,
};

async function run(stage: Stage): Promise<Sight> {
  const { approved, recorder } = stage;
  const where = `the first answer of ${approved.name}, sent again`;
  const request = approved.exchanges[1]?.request;
  if (!request || !('messages' in request)) return { status: 'not-observed', note: 'no answer was sent' };
  const { exchange, payments } = await attempt(stage, () => recorder.send(request));
  const { chunks, end } = exchange;

  const known = approved.exchanges.flatMap((other) => other.chunks);
  const calls = new Set(approved.answered.map(({ toolCallId }) => toolCallId));
  const again = [...calls].flatMap((id) => newRunsIn(traceOf(id, known), traceOf(id, chunks)));
  if (again.length > 0) return failed(where, 'the call ran again', again);
  if (payments !== undefined && payments > 0) return failed(where, `payments were made again: ${payments}`);
  const shown = callsShown(known);
  const fresh = chunks.filter(
    (chunk) => chunk.type === 'tool-input-available' && !shown.has(chunk.toolCallId),
  );
  if (fresh.length > 0) return failed(where, 'the model was asked again, and made another call', fresh);

  const error = chunks.filter((chunk) => chunk.type === 'error');
  if (error.length > 0) {
    return {
      status: 'differs',
      note: 'nothing ran, but it is an error',
      evidence: [{ where, message: 'an error chunk', chunks: error }],
    };
  }
  switch (end.type) {
    case 'timeout':
      return failed(where, tellEnd(end), chunks);
    case 'complete':
      break;
    default:
      return { status: 'differs', note: `nothing ran, but it is an error: ${tellEnd(end)}` };
  }
  if (payments === 0) return { status: 'pass', note: 'no payment was made' };
  const reports = [...calls].every((id) => traceOf(id, known).starts.length > 0);
  if (reports)
    return { status: 'pass', note: 'the backend reports when calls start, and reported no new start' };
  return {
    status: 'not-observed',
    note: 'the same outcomes came; a second run with the same output looks like a replay',
  };
}

function callsShown(chunks: readonly UIMessageChunk[]): ReadonlySet<string> {
  return new Set(chunks.flatMap((chunk) => (chunk.type === 'tool-input-available' ? chunk.toolCallId : [])));
}
