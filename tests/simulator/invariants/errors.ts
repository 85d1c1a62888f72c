import type { Reading } from '../history.ts';
import { type Invariant, tally } from './invariant.ts';

/** A model that is silent after its tools ends its turn as usual: only an empty response is an error (T15). */
export const errors: Invariant = {
  name: 'a response that holds something does not say that there was no answer',
  check({ readings }) {
    const { look, result } = tally();
    for (const reading of readings) {
      const last = reading.chunks.at(-1);
      if (last?.type !== 'error') continue;
      look(
        /without an answer/.test(last.errorText) &&
          holdsSomething(reading) &&
          `${reading.instance} told ${reading.who} of ${reading.chatId}: ${last.errorText}, after ${reading.chunks.map(({ type }) => type).join(' ')}`,
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
