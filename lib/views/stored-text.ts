import type { FlowStore } from '../log/store/index.ts';
import { type ChatId, CountersignError, type StoredText } from '../protocol/index.ts';
import { runtime } from '../runtime/runtime.ts';

/**
 * Reads a large result part by part, between other work.
 *
 * @throws CountersignError `not-found` if one is gone
 * @source ADR 0042
 */
export async function* storedText(
  store: FlowStore,
  chatId: ChatId,
  { id: resultId, parts }: StoredText,
): AsyncGenerator<string> {
  for (let index = 0; index < parts; index += 1) {
    const text = await store.results.read({ chatId, resultId, index });
    if (text === undefined) {
      throw new CountersignError('not-found', `The text of a result in chat ${chatId} is gone.`, { chatId });
    }
    yield text;
    // An embedded store reads synchronously.
    await runtime.turnOfEventLoop();
  }
}
