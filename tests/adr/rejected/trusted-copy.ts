import type { ChatHead, FlowStore } from '../../../lib/log/store/index.ts';
import { flowLogId } from '../../../lib/protocol/index.ts';

/** The rejected order: the log of the flow is read once, and its copy is then used for answers. */
export function trustedCopy(store: FlowStore): FlowStore {
  let copy: Promise<ChatHead | undefined> | undefined;
  return {
    ...store,
    chats: {
      ...store.chats,
      head(chatId) {
        if (chatId !== flowLogId) return store.chats.head(chatId);
        copy ??= store.chats.head(chatId);
        return copy;
      },
    },
  };
}
