import type { Pauses } from '../../log/flow-log/pauses.ts';
import type { QuestionChange } from '../../log/store/index.ts';
import type { Question } from '../../protocol/index.ts';
import type { FedView } from './feed.ts';
import type { SharedFeeds } from './shared-feeds.ts';

const pageSize = 100;

/** A question, and its place in the store's feed. Without a place it is repeated, although its row has not changed. */
type FedQuestion = { readonly change?: QuestionChange['change']; readonly question: Question };

/**
 * Questions as they open and settle, after a place in the store's feed, live until cancelled or the flow
 * closes. Consecutive changes of a question are coalesced to its latest state. When something is paused or
 * unpaused, all open questions are repeated. Hidden questions are skipped here and not in a separate stream,
 * which would cost every feed.
 *
 * @param watches each calls back when this reader may see other questions than before. The feed then ends, and its reader reads
 *   the list again. Returns a function that ends it
 * @param ownerNow whose open questions are repeated; `undefined`: those of all users
 * @param see the part of a question that the reader of this feed may see
 * @param seal a place in the store's feed as the reader gets it
 * @source H11
 */
export function questionFeed(
  parts: Pick<SharedFeeds, 'questions' | 'notifications'> & {
    pauses: Pick<Pauses, 'listen'>;
    after: number;
    ownerNow: () => Promise<string | undefined>;
    see: ReturnType<SharedFeeds['seenBy']>;
    seal: (place: number) => Promise<string>;
    watches: readonly ((callback: () => void) => () => void)[];
  },
): ReadableStream<FedView> {
  const { questions, notifications, pauses, after, ownerNow, see, seal, watches } = parts;
  let cursor = after;
  let page: FedQuestion[] = [];
  let cancelled = false;
  let bell = Promise.withResolvers<void>();
  const stopListening = notifications.listen(undefined, () => bell.resolve());
  /** Where the repetition of open questions continues. */
  let again: { cursor?: string } | undefined;
  const stopHearing = pauses.listen(() => {
    again = {};
    bell.resolve();
  });
  let outdated = false;
  const ends = watches.map((watch) =>
    watch(() => {
      outdated = true;
      bell.resolve();
    }),
  );
  const stopWatching = () => {
    for (const end of ends) end();
  };
  const isOver = () => cancelled || outdated || notifications.closed;

  async function nextPage(): Promise<FedQuestion[]> {
    if (!again) return questions.changes(cursor, pageSize);
    const from = again;
    const ownerId = await ownerNow();
    const { items, next } = await questions.list({ state: 'open', ownerId, ...from, limit: pageSize });
    // Another pause has come, so the repetition begins again.
    if (again === from) again = next === undefined ? undefined : { cursor: next };
    return items.map((question) => ({ question }));
  }

  /** The next question, no matter who may see it; `undefined` at the end. */
  async function nextQuestion(): Promise<FedQuestion | undefined> {
    while (page.length === 0 && !isOver()) {
      bell = Promise.withResolvers<void>();
      page = await nextPage();
      if (page.length === 0 && !isOver() && !again) await bell.promise;
    }
    return outdated ? undefined : page.shift();
  }

  return new ReadableStream<FedView>(
    {
      async pull(controller) {
        for (let next = await nextQuestion(); !cancelled; next = await nextQuestion()) {
          if (!next) {
            stopWatching();
            return controller.close();
          }
          cursor = next.change ?? cursor;
          const question = await see(next.question);
          if (!question) continue;
          const place = next.change === undefined ? {} : { place: await seal(next.change) };
          if (!cancelled) return controller.enqueue({ ...place, question });
        }
      },
      cancel() {
        cancelled = true;
        stopListening();
        stopHearing();
        stopWatching();
        bell.resolve();
      },
    },
    { highWaterMark: 0 },
  );
}
