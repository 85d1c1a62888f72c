import type { FlowStore, Question, QuestionChange } from '../vocabulary/index.ts';
import type { Pauses } from './record/pauses.ts';
import type { Wakes } from './wakes.ts';

const pageSize = 100;

/** A question, and its place in the store's feed; without one it comes again, though nothing of it is stored anew. */
export type FedQuestion = { readonly change?: QuestionChange['change']; readonly question: Question };

/**
 * Questions as they open and settle, after a place in the store's feed, live until cancelled or the flow closes.
 * A question that changed twice since is told once, as it is now. When something is paused or unpaused, all open
 * questions come again.
 *
 * @param ownerId whose open questions come again; default: everybody's
 * @source contract H11
 */
export function questionFeed({
  store,
  wakes,
  pauses,
  after,
  ownerId,
}: {
  store: FlowStore;
  wakes: Wakes;
  pauses: Pick<Pauses, 'listen'>;
  after: number;
  ownerId?: string;
}): ReadableStream<FedQuestion> {
  let cursor = after;
  let page: FedQuestion[] = [];
  let cancelled = false;
  let bell = Promise.withResolvers<void>();
  const stopListening = wakes.listen(undefined, () => bell.resolve());
  /** Where the open questions that come again go on. */
  let again: { cursor?: string } | undefined;
  const stopHearing = pauses.listen(() => {
    again = {};
    bell.resolve();
  });

  async function nextPage(): Promise<FedQuestion[]> {
    if (!again) return store.questionChanges(cursor, pageSize);
    const from = again;
    const { items, next } = await store.questions({ state: 'open', ownerId, ...from, limit: pageSize });
    // A pause that came meanwhile begins anew.
    if (again === from) again = next === undefined ? undefined : { cursor: next };
    return items.map((question) => ({ question }));
  }

  return new ReadableStream<FedQuestion>(
    {
      async pull(controller) {
        while (page.length === 0 && !cancelled && !wakes.closed) {
          bell = Promise.withResolvers<void>();
          page = await nextPage();
          if (page.length === 0 && !wakes.closed && !again) await bell.promise;
        }
        if (cancelled) return;
        const change = page.shift();
        if (change) {
          cursor = change.change ?? cursor;
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
