import type { Reading } from '../history.ts';
import { type Invariant, tally } from './invariant.ts';

/** If a model produces no text after its tools, its turn ends normally. Only an empty response is an error (T15). */
export const errors: Invariant = {
  name: 'a response with content does not report a missing answer',
  check({ readings }) {
    const { look, result } = tally();
    for (const reading of readings) {
      const last = reading.chunks.at(-1);
      if (last?.type !== 'error') continue;
      look(
        /without an answer/.test(last.errorText) &&
          holdsSomething(reading) &&
          `${reading.instance} sent ${reading.who} in ${reading.chatId}: ${last.errorText}, after ${reading.chunks.map(({ type }) => type).join(' ')}`,
      );
    }
    return result();
  },
};

function holdsSomething({ chunks }: Reading): boolean {
  return chunks.some(
    ({ type }) => type === 'text-delta' || type === 'tool-output-available' || type === 'tool-output-error',
  );
}
