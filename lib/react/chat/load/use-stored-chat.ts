'use client';

import type { UIMessage } from 'ai';
import { useCallback, useEffect, useState } from 'react';
import {
  type ChatsApi,
  loadChat,
  newChat,
  parseChat,
  type StoredChat,
} from '../../../client/chat/stored-chat.ts';
import { useIsHydrated } from '../../use-is-hydrated.ts';

/** A chat that is being loaded. */
export type ChatLoading<Message extends UIMessage = UIMessage> =
  | { readonly type: 'loading' }
  | { readonly type: 'missing' }
  | { readonly type: 'failed'; readonly again: () => void }
  | { readonly type: 'ready'; readonly chat: StoredChat<Message> };

/** The chat to load, and its address. */
export type StoredChatOptions = ChatsApi & {
  readonly id: string;
  /** The chat begins on this page: there is nothing to load. */
  readonly isNew?: boolean;
  /**
   * The response of `GET /api/chat/{id}`, if the server renders the chat. Counts until the page is hydrated: later, a copy of it may
   * be outdated.
   */
  readonly sent?: unknown;
  /** The title of a chat that begins. */
  readonly newTitle?: string;
};

/**
 * Loads a chat for its page: what `useApprovalChat` takes as `stored`. Another chat needs another component (`key`).
 *
 * @source H4
 */
export function useStoredChat<Message extends UIMessage = UIMessage>(
  options: StoredChatOptions,
): ChatLoading<Message> {
  const { id, api, fetch, isNew = false, newTitle, sent } = options;
  const [attempt, setAttempt] = useState(0);
  const again = useCallback(() => setAttempt((count) => count + 1), []);
  const isHydrated = useIsHydrated();
  const [loading, setLoading] = useState<ChatLoading<Message>>(() => {
    if (isNew) return { type: 'ready', chat: newChat<Message>(id, newTitle) };
    const chat = isHydrated ? undefined : parseChat<Message>(sent);
    return chat ? { type: 'ready', chat } : { type: 'loading' };
  });
  const hasBegun = loading.type === 'ready';

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt is what loads again
  useEffect(() => {
    if (hasBegun) return;
    let isCurrent = true;
    setLoading({ type: 'loading' });
    void loadChat<Message>(id, { api, fetch }).then((loaded) => {
      if (!isCurrent) return;
      if (loaded.type === 'loaded') setLoading({ type: 'ready', chat: loaded.chat });
      else setLoading(loaded.type === 'missing' ? loaded : { type: 'failed', again });
    });
    return () => {
      isCurrent = false;
    };
  }, [id, hasBegun, attempt, again]);

  return loading;
}
