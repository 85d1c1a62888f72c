import type { FlowStore, QuestionChange } from '../vocabulary/index.ts';
import type { Pauses } from './record/pauses.ts';
import type { Wakes } from './wakes.ts';

const pageSize = 100;

/**
 * Questions as they open and settle, after a place in the store's feed, live until cancelled or the flow closes.
 * A question that changed twice since is told once, as it is now. When something is paused or unpaused, the oldest open
 * questions come again, at the place that was reached.
 *
 * @source contract H11
 */
export function questionFeed({
  store,
  wakes,
  pauses,
  after,
}: {
  store: FlowStore;
  wakes: Wakes;
  pauses: Pick<Pauses, 'listen'>;
  after: number;
}): ReadableStream<QuestionChange> {
  let cursor = after;
  let page: QuestionChange[] = [];
  let cancelled = false;
  let bell = Promise.withResolvers<void>();
  const stopListening = wakes.listen(undefined, () => bell.resolve());
  let pausesChanged = false;
  const stopHearing = pauses.listen(() => {
    pausesChanged = true;
    bell.resolve();
  });

  async function nextPage(): Promise<QuestionChange[]> {
    if (!pausesChanged) return store.questionChanges(cursor, pageSize);
    pausesChanged = false;
    // Nothing of them is stored anew, so they have no place in the feed of their own.
    const { items } = await store.questions({ state: 'open', limit: pageSize });
    return items.map((question) => ({ change: cursor, question }));
  }

  return new ReadableStream<QuestionChange>(
    {
      async pull(controller) {
        while (page.length === 0 && !cancelled && !wakes.closed) {
          bell = Promise.withResolvers<void>();
          page = await nextPage();
          if (page.length === 0 && !wakes.closed && !pausesChanged) await bell.promise;
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
        stopHearing();
        bell.resolve();
      },
    },
    { highWaterMark: 0 },
  );
}
