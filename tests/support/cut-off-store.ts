import type { FlowStore } from '../../lib/log/store/index.ts';
import { CountersignError } from '../../lib/protocol/index.ts';

const unreachable = () =>
  new CountersignError('internal', 'The database is not reachable.', {}, { transient: true });

/**
 * A store, and its connection. While the connection is cut, each call fails.
 *
 * @param failure makes the errors. Default: transient ones
 */
export function cutOffStore(store: FlowStore, failure: () => unknown = unreachable) {
  let isCut = false;
  const reached =
    <Arguments extends unknown[], Result>(call: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      if (isCut) throw failure();
      return call(...given);
    };
  const behindLine: FlowStore = {
    ...store,
    append: reached(store.append),
    events: { read: reached(store.events.read) },
    chats: { ...store.chats, head: reached(store.chats.head) },
    questions: { ...store.questions, read: reached(store.questions.read), due: reached(store.questions.due) },
    results: { ...store.results, add: reached(store.results.add) },
    runs: {
      claimLease: reached(store.runs.claimLease),
      stopRequested: reached(store.runs.stopRequested),
      requestStop: reached(store.runs.requestStop),
      orphans: reached(store.runs.orphans),
    },
  };
  return {
    store: behindLine,
    cut: () => {
      isCut = true;
    },
    heal: () => {
      isCut = false;
    },
  };
}
