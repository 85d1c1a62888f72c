import type { FlowStore } from '../../../lib/log/store/index.ts';
import type { History } from '../history.ts';

/** Maps an owner of appends (`flow_…`) to its instance and its version of the tools. */
export type WhoWrites = (owner: string) => { readonly name: string; readonly version: number };

/** A store that records each event in the history when it becomes durable, and when each subscription began. */
export function observedStore(store: FlowStore, history: History, whoWrites: WhoWrites): FlowStore {
  const { subscriptions } = store;
  return {
    ...store,
    ...(subscriptions && {
      subscriptions: {
        ...subscriptions,
        async claim(id, lease, now) {
          const state = await subscriptions.claim(id, lease, now);
          if (!state || history.subscriptions.has(id)) return state;
          history.subscriptions.set(id, { moment: history.moment(), place: state.began });
          history.note(`subscription ${id} begins at ${state.place}`);
          return state;
        },
      },
    }),
    async append(batch) {
      const result = await store.append(batch);
      if (result !== 'appended') {
        history.note(`log ${batch.chatId} ${result} for ${whoWrites(batch.owner).name}`);
        return result;
      }
      const { chatId, head, owner } = batch;
      if (!history.owners.has(chatId)) history.owners.set(chatId, head.ownerId);
      const log = history.logs.get(chatId) ?? [];
      history.logs.set(chatId, log);
      const known = log.at(-1)?.event.seq ?? 0;
      const { name, version } = whoWrites(owner);
      // A batch that is repeated after its acknowledgement was lost is recorded once.
      for (const event of batch.events) {
        if (event.seq <= known) continue;
        const written = { moment: history.moment(), at: history.now(), event, by: name, version };
        log.push(written);
        history.onWritten(chatId, written);
        history.note(
          `log ${chatId} ${event.seq} ${event.type}${'toolCallId' in event ? ` ${event.toolCallId}` : ''} by ${name}`,
        );
      }
      return result;
    },
    chats: {
      ...store.chats,
      async erase(chatId, ...rest) {
        await store.chats.erase(chatId, ...rest);
        if ((await store.chats.head(chatId)) !== undefined) return;
        history.erasedLogs.set(chatId, history.logOf(chatId));
        history.logs.delete(chatId);
        history.erased.push({ chatId, moment: history.moment() });
        history.note(`log ${chatId} erased`);
      },
    },
  };
}
