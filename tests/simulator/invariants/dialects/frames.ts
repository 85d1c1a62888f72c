import type { DialectFrame, DialectReading } from '../../dialects/reading.ts';
import { type Invariant, tally } from '../invariant.ts';
import { rulesOf } from './shown/index.ts';

/** Each frame matches its dialect's schema, places only increase, even across reconnects, and nothing follows the end. */
export const dialectFrames: Invariant = {
  name: 'frames of dialects are valid, and their ids grow',
  check({ dialectReadings }) {
    const { verify, result } = tally();
    for (const reading of dialectReadings) {
      const { dialect, who, chatId, frames } = reading;
      const last = new Map<string | undefined, DialectFrame>();
      for (const frame of frames) {
        const before = last.get(frame.runId);
        last.set(frame.runId, frame);
        const fault = rulesOf(dialect).schema.safeParse(frame.data).error?.issues[0];
        verify(
          fault &&
            `${who} received ${JSON.stringify(frame.data)} of ${chatId} over ${dialect}: ${fault.message}`,
          before &&
            !isAfter(reading, frame, before) &&
            `${who} received ${placeOf(frame)} after ${placeOf(before)} of ${chatId} over ${dialect}`,
          before?.connection === frame.connection &&
            isLast(before) &&
            `${who} received ${JSON.stringify(frame.data)} after the end of ${chatId}`,
        );
      }
    }
    return result();
  },
};

/** Frames of a connection that ends have the place where it is resumed. A message of tool events may begin again. */
function isAfter({ dialect }: DialectReading, frame: DialectFrame, before: DialectFrame): boolean {
  const [place, placeBefore] = [numbersOf(frame), numbersOf(before)];
  if (!place || !placeBefore) return true;
  const [one = 0, two = 0] = place;
  const [oneBefore = 0, twoBefore = 0] = placeBefore;
  const isGreater = one > oneBefore || (one === oneBefore && two > twoBefore);
  if (rulesOf(dialect).hasNoGaps) return one === oneBefore + 1;
  const { type } = frame.data as { type: string };
  return (
    isGreater || type === 'message_start' || (isOfConnection(frame) && one === oneBefore && two === twoBefore)
  );
}

function isOfConnection({ data }: DialectFrame): boolean {
  const { type, data: error } = data as { type: string; data?: { tool_call_id?: unknown } };
  return type === 'error' && error?.tool_call_id === null;
}

function numbersOf({ id, data }: DialectFrame): readonly number[] | undefined {
  const { sequence_number: number } = data as { sequence_number?: number };
  if (number !== undefined) return [number];
  return /[.](\d+)[.](\d+)([.]done)?$/
    .exec(id ?? '')
    ?.slice(1, 3)
    .map(Number);
}

function placeOf({ id, data }: DialectFrame): string {
  return id ?? JSON.stringify(data);
}

function isLast({ data }: DialectFrame): boolean {
  const { type, code } = data as { type: string; code?: string };
  return (
    /^(done|complete|message_end|response[.](completed|incomplete|failed))$/.test(type) ||
    code === 'LLM_ERROR'
  );
}
