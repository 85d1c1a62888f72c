'use client';

import { useApprovalFeed, useReconnected } from 'countersign/react';
import type { ReactNode } from 'react';
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { ChatPage, ChatSummary } from './chat-api.ts';
import { deleteChat, listChats, renameChat } from './chat-api.ts';

/** The chats of this person, newest first, and what can be done with them. */
export type ChatList = {
  chats: readonly ChatSummary[];
  state: 'loading' | 'ready' | 'failed';
  /** The same function for good. */
  refresh: () => void;
  /** Loads older chats; absent when all are shown. */
  more: (() => void) | undefined;
  /** Both resolve to whether the server did it. */
  rename: (id: string, title: string) => Promise<boolean>;
  remove: (id: string) => Promise<boolean>;
};

const ChatListContext = createContext<ChatList | undefined>(undefined);

/** Has the list from the server, if it could be read, and loads it once and again whenever a question opens or settles. */
export function ChatListProvider({ sent, children }: { sent?: ChatPage | undefined; children: ReactNode }) {
  const [chats, setChats] = useState(sent?.chats ?? []);
  const [cursor, setCursor] = useState(sent?.nextCursor);
  const [state, setState] = useState<ChatList['state']>(sent ? 'ready' : 'loading');
  const newest = useRef(0);

  const load = useCallback(async () => {
    newest.current += 1;
    const request = newest.current;
    const page = await listChats();
    // A slower, older answer must not replace a newer one.
    if (request !== newest.current) return;
    setState(page === undefined ? 'failed' : 'ready');
    if (page === undefined) return;
    setChats(page.chats);
    setCursor(page.nextCursor);
  }, []);
  const refresh = useCallback(() => void load(), [load]);

  const more = useCallback(async () => {
    const page = await listChats(cursor);
    if (page === undefined) return;
    setChats((shown) => [...shown, ...page.chats.filter((chat) => shown.every(({ id }) => id !== chat.id))]);
    setCursor(page.nextCursor);
  }, [cursor]);

  const rename = useCallback(
    async (id: string, title: string) => {
      setChats((shown) => shown.map((chat) => (chat.id === id ? { ...chat, title } : chat)));
      const done = await renameChat(id, title);
      await load();
      return done;
    },
    [load],
  );

  const remove = useCallback(
    async (id: string) => {
      const done = await deleteChat(id);
      await load();
      return done;
    },
    [load],
  );

  useEffect(() => refresh(), [refresh]);
  useApprovalFeed(refresh);
  useReconnected(refresh);

  const list = useMemo<ChatList>(
    () => ({
      chats,
      state,
      refresh,
      more: cursor === undefined ? undefined : () => void more(),
      rename,
      remove,
    }),
    [chats, state, refresh, cursor, more, rename, remove],
  );
  return <ChatListContext value={list}>{children}</ChatListContext>;
}

/** The chat list of the surrounding page. @throws Error outside of `ChatListProvider` */
export function useChatList(): ChatList {
  const list = useContext(ChatListContext);
  if (list === undefined) throw new Error('useChatList needs a ChatListProvider above it.');
  return list;
}
