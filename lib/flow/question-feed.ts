import type { QuestionChange } from '../vocabulary/index.ts';
import type { Pauses } from './record/pauses.ts';
import type { SharedFeeds } from './shared-feeds.ts';
import type { QuestionView } from './types.ts';

const pageSize = 100;

/**
 * Questions as they open and settle, after a place in the store's feed, live until cancelled or the flow closes.
 * A question that changed twice since is told once, as it is now. When something is paused or unpaused, the oldest open
 * questions come again, at the place that was reached. Questions that are not seen are passed over right here: each
 * stream that they went through would be paid for by every feed.
 *
 * @param see what the reader of this feed may see of a question
 * @source contract H11
 */
export function questionFeed({
  store,
  wakes,
  pauses,
  after,
  see,
}: Pick<SharedFeeds, 'store' | 'wakes'> & {
  pauses: Pick<Pauses, 'listen'>;
  after: number;
  see: ReturnType<SharedFeeds['seenBy']>;
}): ReadableStream<QuestionChange & { question: QuestionView }> {
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

  /** The next change, whoever may see it; nothing at the end. */
  async function nextChange(): Promise<QuestionChange | undefined> {
    while (page.length === 0 && !cancelled && !wakes.closed) {
      bell = Promise.withResolvers<void>();
      page = await nextPage();
      if (page.length === 0 && !wakes.closed && !pausesChanged) await bell.promise;
    }
    return page.shift();
  }

  return new ReadableStream<QuestionChange & { question: QuestionView }>(
    {
      async pull(controller) {
        for (let next = await nextChange(); !cancelled; next = await nextChange()) {
          if (!next) return controller.close();
          const { change } = next;
          cursor = change;
          const question = await see(next.question);
          if (question && !cancelled) return controller.enqueue({ change, question });
        }
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
