import type { History, Reading } from '../history.ts';
import { type Invariant, tally } from './invariant.ts';

/** If a model produces no text after its tools, its turn ends normally. Only an empty response is an error (T15). */
export const errors: Invariant = {
  name: 'a response with content does not report a missing answer',
  check(history) {
    const { verify, result } = tally();
    for (const reading of history.readings) {
      // A replay shows earlier responses of the turn again.
      if (reading.asks === 'resume') continue;
      const last = reading.chunks.at(-1);
      if (last?.type !== 'error') continue;
      verify(
        /without an answer/.test(last.errorText) &&
          holdsSomething(history, reading) &&
          `${reading.instance} sent ${reading.who} in ${reading.chatId}: ${last.errorText}, after ${reading.chunks.map(({ type }) => type).join(' ')}`,
      );
    }
    return result();
  },
};

/** A repeated request may show the client its own outputs again. They were not in the response without an answer. */
function holdsSomething(history: History, { chatId, chunks }: Reading): boolean {
  const own = new Set<string>(
    history
      .logOf(chatId)
      .flatMap(({ event }) =>
        event.type === 'tool-requested' && event.executor === 'client' ? [event.toolCallId] : [],
      ),
  );
  return chunks.some(
    (chunk) =>
      chunk.type === 'text-delta' ||
      chunk.type === 'tool-output-error' ||
      (chunk.type === 'tool-output-available' && !own.has(chunk.toolCallId)),
  );
}
