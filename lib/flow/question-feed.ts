import type { FlowStore, QuestionChange } from '../vocabulary/index.ts';
import type { Wakes } from './wakes.ts';

const pageSize = 100;

/**
 * Questions as they open and settle, from a place in the store's feed on (default: from now on), live until
 * cancelled. A question that changed twice since is told once, as it is now.
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
  after?: number;
}): ReadableStream<QuestionChange> {
  let cursor = after;
  let page: QuestionChange[] = [];
  let cancelled = false;
  let bell = Promise.withResolvers<void>();
  const stopListening = wakes.listen(undefined, () => bell.resolve());

  return new ReadableStream<QuestionChange>(
    {
      async start() {
        cursor ??= await store.lastQuestionChange();
      },
      async pull(controller) {
        while (page.length === 0 && !cancelled) {
          bell = Promise.withResolvers<void>();
          page = await store.questionChanges(cursor ?? 0, pageSize);
          if (page.length === 0) await bell.promise;
        }
        const change = page.shift();
        if (!change || cancelled) return;
        cursor = change.change;
        controller.enqueue(change);
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
