'use client';

import type { UseChatHelpers } from '@ai-sdk/react';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { StoredChat } from './chat-api.ts';
import { loadChat } from './chat-api.ts';
import type { ChatMessage } from './chat-message.ts';
import { holdsUnsentAnswer } from './chat-message.ts';
import type { LiveEvent } from './live-parts.ts';
import type { RequestFailure } from './request-failure.ts';

type Chat = UseChatHelpers<ChatMessage>;

const unreachable: RequestFailure = {
  kind: 'network',
  title: 'The server cannot be reached',
  detail: 'Nothing is lost: the server keeps this chat and what was approved.',
};

/** Ways back to what the server knows. Each may be called at any time; none runs anything twice. */
export type ChatRecovery = {
  /** Takes over the stored chat and follows its run, if one is active or waits. */
  synchronize: () => Promise<void>;
  /** Takes over the stored messages only, for what a new message changed in the turn before it (H8, T16). */
  refresh: () => Promise<void>;
  /** Repeats what failed: an unsent answer, an unreceived message, a failed run; or just follows the run. */
  retry: (failure: RequestFailure | undefined) => Promise<void>;
};

/** Brings a chat back after a failed request, after a stop, and after an answer given elsewhere. */
export function useChatRecovery(
  id: string,
  chat: Chat,
  feed: (event: LiveEvent) => void,
  setFailure: (failure: RequestFailure | undefined) => void,
): ChatRecovery {
  const adopt = async (stored: StoredChat) => {
    chat.clearError();
    chat.setMessages(stored.messages);
    feed({ type: 'restored', draft: stored.draft });
    if (stored.run.status === 'active' || stored.run.status === 'waiting') await chat.resumeStream();
  };

  const synchronize = async () => {
    const loaded = await loadChat(id);
    if (loaded.type === 'loaded') await adopt(loaded.chat);
  };

  const messagesNow = useRef(chat.messages);
  useEffect(() => {
    messagesNow.current = chat.messages;
  }, [chat.messages]);
  const refresh = async () => {
    const before = messagesNow.current;
    const loaded = await loadChat(id);
    // Whatever happened meanwhile is newer than what was loaded.
    if (loaded.type === 'loaded' && messagesNow.current === before) chat.setMessages(loaded.chat.messages);
  };

  const retry = async (failure: RequestFailure | undefined) => {
    // An answer can be repeated without harm: the first one stands (H10).
    if (failure?.kind === 'network' && holdsUnsentAnswer(chat.messages)) return chat.sendMessage();
    const loaded = await loadChat(id);
    if (loaded.type === 'failed') return setFailure(unreachable);
    setFailure(undefined);
    const next = nextStep(loaded.type === 'loaded' ? loaded.chat : undefined, chat.messages);
    if (next === 'send-again') return chat.regenerate();
    if (loaded.type !== 'loaded') return;
    await adopt(loaded.chat);
    if (next === 'run-again') await chat.regenerate();
  };

  const onOnline = useEffectEvent(() => {
    if (chat.status === 'error') void retry({ ...unreachable });
  });
  useEffect(() => {
    const listener = () => onOnline();
    window.addEventListener('online', listener);
    return () => window.removeEventListener('online', listener);
  }, []);

  return { synchronize, refresh, retry };
}

/**
 * What a retry has to do, by what the server knows.
 *
 * @param stored the server's chat; absent when it never heard of it
 * @returns `send-again` when the last user message did not arrive, `run-again` when its run failed, else
 *   `follow`
 */
export function nextStep(
  stored: StoredChat | undefined,
  messages: readonly ChatMessage[],
): 'send-again' | 'run-again' | 'follow' {
  const lastUser = messages.findLast((message) => message.role === 'user');
  const arrived = stored?.messages.some((message) => message.id === lastUser?.id) ?? false;
  if (stored === undefined || (lastUser !== undefined && !arrived)) return 'send-again';
  const isUnanswered = stored.run.status === 'idle' && stored.messages.at(-1)?.role === 'user';
  return stored.run.status === 'failed' || isUnanswered ? 'run-again' : 'follow';
}
