import type { FlowStore, QuestionChange } from '../vocabulary/index.ts';
import type { Wakes } from './wakes.ts';

const pageSize = 100;

/**
 * Questions as they open and settle, after a place in the store's feed, live until cancelled or the flow closes.
 * A question that changed twice since is told once, as it is now.
 *
 * @source contract H11
 */
export function questionFeed({
  store,
  wakes,
  after,
}: {
  store: FlowStore;
  wakes: Wakes;
  after: number;
}): ReadableStream<QuestionChange> {
  let cursor = after;
  let page: QuestionChange[] = [];
  let cancelled = false;
  let bell = Promise.withResolvers<void>();
  const stopListening = wakes.listen(undefined, () => bell.resolve());

  return new ReadableStream<QuestionChange>(
    {
      async pull(controller) {
        while (page.length === 0 && !cancelled && !wakes.closed) {
          bell = Promise.withResolvers<void>();
          page = await store.questionChanges(cursor, pageSize);
          if (page.length === 0 && !wakes.closed) await bell.promise;
        }
        if (cancelled) return;
        const change = page.shift();
        if (change) {
          cursor = change.change;
          controller.enqueue(change);
        } else controller.close();
      },
      cancel() {
        cancelled = true;
        stopListening();
        bell.resolve();
      },
    },
    { highWaterMark: 0 },
  );
}
