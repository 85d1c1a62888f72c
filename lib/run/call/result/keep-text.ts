import { isRefusal, withBackoff } from '../../../log/backoff.ts';
import type { Journal } from '../../../log/journal.ts';
import type { FlowStore, ResultPart } from '../../../log/store/index.ts';
import { type Clock, errorFacts, type Logger, type StoredText } from '../../../protocol/index.ts';
import { runtime } from '../../../runtime/runtime.ts';
import { toHex } from '../../../runtime/to-hex.ts';
import { textParts } from './text-parts.ts';

/** A stored text and the SHA-256 of its UTF-8 bytes in hex, or why it was not stored, as a clause. */
export type KeptText = (StoredText & { readonly sha256: string }) | { readonly problem: string };

/**
 * Stores the text of a large result, part by part. Other work of the process runs after each part.
 *
 * @param id the id of the text, unique in the chat
 * @param abortSignal stops the attempts to reach a store that is unavailable
 * @throws the error of the stream; `AbortError` if the signal aborted while the store was unavailable
 */
export type KeepText = (
  id: string,
  pieces: AsyncIterable<string | Uint8Array>,
  abortSignal: AbortSignal,
) => Promise<KeptText>;

export function createTextKeeper(given: {
  readonly store: FlowStore;
  readonly journal: Pick<Journal, 'head'>;
  readonly clock: Clock;
  readonly logger: Logger;
}): KeepText {
  const { store, journal, clock, logger } = given;
  /** @returns false if the part cannot be stored */
  async function add(part: ResultPart, abortSignal: AbortSignal): Promise<boolean> {
    try {
      const mayRetry = (error: unknown) => !isRefusal(error) && !abortSignal.aborted;
      return await withBackoff(clock, async () => store.results.add(part), mayRetry);
    } catch (error) {
      if (abortSignal.aborted) throw new DOMException('The call was aborted.', 'AbortError');
      const { chatId } = part;
      logger.error('A part of a large result could not be stored.', { chatId, error: errorFacts(error) });
      return false;
    }
  }

  return async (id, pieces, abortSignal) => {
    const { id: chatId, createdAt } = journal.head;
    const hash = runtime.sha256InParts();
    let parts = 0;
    let bytes = 0;
    for await (const text of textParts(pieces)) {
      const isStored = await add({ chatId, createdAt, resultId: id, index: parts, text }, abortSignal);
      if (!isStored) return { problem: 'the store failed' };
      hash.update(text);
      parts += 1;
      bytes += runtime.utf8Length(text);
      await runtime.turnOfEventLoop();
    }
    return { id, parts, bytes, sha256: toHex(hash.digest()) };
  };
}

/** Closes a stream without reading it, so that it can release its resources. */
export async function discard(
  pieces: AsyncIterable<unknown>,
  problem: string,
): Promise<{ readonly problem: string }> {
  await pieces[Symbol.asyncIterator]().return?.();
  return { problem };
}
