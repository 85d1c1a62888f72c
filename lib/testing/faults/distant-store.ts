import type { FlowStore } from '../../log/store-port.ts';

/**
 * A store that is far away, as a database server is: each call arrives some turns of the event loop later, and
 * its result takes as long again. So calls overtake each other.
 *
 * @param delays in turns, used one after the other and over again
 */
export function distantStore(store: FlowStore, delays: readonly number[]): FlowStore {
  let calls = 0;

  async function travel(): Promise<void> {
    calls += 1;
    const turns = delays[calls % delays.length] ?? 0;
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
  }

  const distant =
    <Arguments extends unknown[], Result>(call: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      await travel();
      const result = await call(...given);
      await travel();
      return result;
    };

  return {
    ...store,
    append: distant(store.append),
    read: distant(store.read),
    head: distant(store.head),
    question: distant(store.question),
    claimLease: distant(store.claimLease),
    stopRequested: distant(store.stopRequested),
    recentCalls: distant(store.recentCalls),
    announce: distant(store.announce),
  };
}
