import type { FlowStore } from '../../log/store/index.ts';

/**
 * A store with latency, like a database server: each call arrives several turns of the event loop later, and so does
 * its result. Calls can overtake each other.
 *
 * @param delays the delays in turns of the event loop, used one after another and repeated
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
    events: { read: distant(store.events.read) },
    chats: { ...store.chats, head: distant(store.chats.head) },
    questions: { ...store.questions, read: distant(store.questions.read) },
    runs: {
      ...store.runs,
      claimLease: distant(store.runs.claimLease),
      stopRequested: distant(store.runs.stopRequested),
    },
    calls: { recent: distant(store.calls.recent) },
    instances: { ...store.instances, announce: distant(store.instances.announce) },
  };
}
