'use client';

import type { UIMessage } from 'ai';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { type ChatsApi, loadChat, newChat } from '../../../client/chat/stored-chat.ts';
import { createChatId } from '../../../protocol/ids/chat-id.ts';
import type { ChatLoading } from './use-stored-chat.ts';

/** The query parameter that names the chat, and the address of chats. */
export type ChatFromUrlOptions = ChatsApi & {
  /** Name of the query parameter that has the chat's id. Default: `chat`. */
  readonly parameter?: string;
  /** The title of a chat that begins. */
  readonly newTitle?: string;
};

/** A chat that the URL names. It is never `missing`: an unknown one is replaced by a new one. */
export type UrlChatLoading<Message extends UIMessage = UIMessage> = Exclude<
  ChatLoading<Message>,
  { readonly type: 'missing' }
>;

/**
 * Loads the chat that the page's URL names (`?chat=…`): what `useApprovalChat` takes as `stored`. If the URL
 * names none, or one that this person cannot see, a new chat begins and its id is put into the URL, so that a
 * reload, a bookmark or the browser's Back shows the same chat again.
 *
 * `loading` on the server. Another chat needs another component: `key={loading.chat.id}`.
 *
 * @source H4
 */
export function useChatFromUrl<Message extends UIMessage = UIMessage>(
  options: ChatFromUrlOptions = {},
): UrlChatLoading<Message> {
  const { parameter = 'chat', newTitle, api, fetch } = options;
  const id = useSyncExternalStore(
    onUrlChange,
    () => new URL(location.href).searchParams.get(parameter),
    () => undefined,
  );
  const [shown, setShown] = useState<{ id: string; loading: UrlChatLoading<Message> }>();
  const [attempt, setAttempt] = useState(0);
  /** The chat that is ready here. */
  const ready = useRef<string>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another URL, or a new attempt, is what loads
  useEffect(() => {
    if (id === undefined || id === ready.current) return;
    let isCurrent = true;
    const show = (chatId: string, loading: UrlChatLoading<Message>) => {
      ready.current = loading.type === 'ready' ? chatId : undefined;
      setShown({ id: chatId, loading });
    };
    const begin = () => {
      if (!isCurrent) return;
      const fresh = createChatId();
      putIntoUrl(parameter, fresh);
      show(fresh, { type: 'ready', chat: newChat(fresh, newTitle) });
    };
    const load = async (chatId: string) => {
      const loaded = await loadChat<Message>(chatId, { api, fetch });
      if (loaded.type === 'missing') return begin();
      if (!isCurrent) return;
      if (loaded.type === 'loaded') return show(chatId, { type: 'ready', chat: loaded.chat });
      const again = () => {
        setShown(undefined);
        setAttempt((count) => count + 1);
      };
      show(chatId, { type: 'failed', again });
    };
    // A router observes URL changes only after its own first effect, which runs after this one.
    if (id === null) queueMicrotask(begin);
    else void load(id);
    return () => {
      isCurrent = false;
    };
  }, [id, attempt, parameter]);

  return shown && shown.id === id ? shown.loading : { type: 'loading' };
}

/** Replaces the history entry: the chat has just begun, so Back has nowhere to go. */
function putIntoUrl(parameter: string, id: string): void {
  const url = new URL(location.href);
  url.searchParams.set(parameter, id);
  history.replaceState(null, '', url);
}

/** Back and Forward and, if the browser reports them, a router's own changes. */
function onUrlChange(changed: () => void): () => void {
  // Routers change the URL while React renders, and no state may be set then.
  const later = () => queueMicrotask(changed);
  const navigation: EventTarget | undefined = window.navigation;
  window.addEventListener('popstate', later);
  navigation?.addEventListener('currententrychange', later);
  return () => {
    window.removeEventListener('popstate', later);
    navigation?.removeEventListener('currententrychange', later);
  };
}
