import type { FlowStore } from '../../lib/log/store-port.ts';
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
    read: reached(store.read),
    head: reached(store.head),
    question: reached(store.question),
    ...(store.addResultPart && { addResultPart: reached(store.addResultPart) }),
    claimLease: reached(store.claimLease),
    stopRequested: reached(store.stopRequested),
    requestStop: reached(store.requestStop),
    orphans: reached(store.orphans),
    dueQuestions: reached(store.dueQuestions),
    ...(store.questionsToEscalate && { questionsToEscalate: reached(store.questionsToEscalate) }),
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
