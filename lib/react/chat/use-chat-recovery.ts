'use client';

import type { UseChatHelpers } from '@ai-sdk/react';
import type { UIMessage } from 'ai';
import { useEffect, useState } from 'react';
import type { GivenDecisions } from '../../client/chat/given-decisions.ts';
import type { LiveEvent } from '../../client/chat/live-parts.ts';
import { unsettledAnswers } from '../../client/chat/message-parts.ts';
import type { FailureKind } from '../../client/chat/request-failure.ts';
import { type ChatsApi, type LoadedChat, loadChat, type StoredChat } from '../../client/chat/stored-chat.ts';
import { useLatest } from '../use-latest.ts';

/** Ways back to what the server knows. Each may be called at any time; none runs anything twice. */
export type ChatRecovery = {
  /** Takes over the stored chat and follows its run, if one is active or waits. */
  readonly synchronize: () => Promise<void>;
  /** Takes over the stored messages only, for what a new message changed in the turn before it (H8, T16). */
  readonly refresh: () => Promise<void>;
  /** Repeats what failed: an unsent answer, an unreceived message, a failed run; or just follows the run. */
  readonly retry: () => Promise<void>;
  /** A retry is under way that the server has not replied to. */
  readonly isRetrying: boolean;
};

/** What the ways back need. */
export type RecoverySettings<Message extends UIMessage> = ChatsApi & {
  readonly chat: UseChatHelpers<Message>;
  readonly decisions: GivenDecisions;
  /** Why the last request did not work. */
  readonly failure: FailureKind | undefined;
  readonly feed: (event: LiveEvent<Message>) => void;
  /** The server could not be reached. */
  readonly onUnreachable: () => void;
  /** The server was reached, and what failed is on its way back. */
  readonly onReached: () => void;
};

/** Brings a chat back after a failed request, after a stop, and after an answer given elsewhere. */
export function useChatRecovery<Message extends UIMessage>(
  settings: RecoverySettings<Message>,
): ChatRecovery {
  const { chat, decisions, failure, feed, api, fetch, onUnreachable, onReached } = settings;
  const [isRetrying, setRetrying] = useState(false);

  const messagesNow = useLatest(() => chat.messages);

  const load = (): Promise<LoadedChat<Message>> => loadChat<Message>(chat.id, { api, fetch });

  const adopt = async ({ messages, draft, questions, open, run }: StoredChat<Message>): Promise<void> => {
    if (open !== undefined) decisions.askedAgain(open);
    chat.clearError();
    feed({ type: 'restored', draft, questions, messages, over: messagesNow() });
    chat.setMessages(messages);
    if (run.status === 'active' || run.status === 'waiting') await chat.resumeStream();
  };

  const synchronize = async (): Promise<void> => {
    const loaded = await load();
    if (loaded.type === 'loaded') await adopt(loaded.chat);
  };

  const refresh = async (): Promise<void> => {
    const before = messagesNow();
    const loaded = await load();
    if (loaded.type !== 'loaded') return;
    for (const question of loaded.chat.questions) feed({ type: 'settled', question });
    // Whatever happened meanwhile is newer than what was loaded.
    if (messagesNow() === before) chat.setMessages(loaded.chat.messages);
  };

  /** By its own id: a chat that never began is begun by a message, and not by a regenerate. */
  const sendAgain = async (): Promise<void> => {
    const unsent = chat.messages.findLast(({ role }) => role === 'user');
    if (unsent) await chat.sendMessage({ ...unsent, messageId: unsent.id });
  };

  const repeat = async (): Promise<void> => {
    // An answer can be repeated without harm: the first one stands (H10). One that was not given on this page is
    // known by half at most, and asked again instead.
    const unsettled = unsettledAnswers(chat.messages);
    if (failure === 'network' && unsettled.length > 0 && unsettled.every((id) => decisions.of(id)))
      return chat.sendMessage();
    const loaded = await load();
    if (loaded.type === 'failed') return onUnreachable();
    onReached();
    const next = nextStep(loaded.type === 'loaded' ? loaded.chat : undefined, chat.messages);
    if (next === 'send-again') return sendAgain();
    if (loaded.type !== 'loaded') return;
    await adopt(loaded.chat);
    if (next === 'run-again') await chat.regenerate();
  };

  const retry = useLatest(async (): Promise<void> => {
    setRetrying(true);
    try {
      await repeat();
    } finally {
      setRetrying(false);
    }
  });

  const retryIfFailed = useLatest(() => {
    if (chat.status === 'error') void retry();
  });
  useEffect(() => {
    window.addEventListener('online', retryIfFailed);
    return () => window.removeEventListener('online', retryIfFailed);
  }, [retryIfFailed]);

  return { synchronize: useLatest(synchronize), refresh: useLatest(refresh), retry, isRetrying };
}

/**
 * What a retry has to do, by what the server knows.
 *
 * @param stored the server's chat; absent when it never heard of it
 * @returns `send-again` when the last user message did not arrive, `run-again` when its run failed, else `follow`
 */
export function nextStep(
  stored: Pick<StoredChat, 'messages' | 'run'> | undefined,
  messages: readonly UIMessage[],
): 'send-again' | 'run-again' | 'follow' {
  const lastUser = messages.findLast((message) => message.role === 'user');
  const arrived = stored?.messages.some((message) => message.id === lastUser?.id) ?? false;
  if (stored === undefined || (lastUser !== undefined && !arrived)) return 'send-again';
  const isUnanswered = stored.run.status === 'idle' && stored.messages.at(-1)?.role === 'user';
  return stored.run.status === 'failed' || isUnanswered ? 'run-again' : 'follow';
}
