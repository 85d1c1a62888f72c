'use client';

import type { UseChatHelpers } from '@ai-sdk/react';
import type { UIMessage } from 'ai';
import { useEffect, useState } from 'react';
import type { GivenDecisions } from '../../../client/chat/given-decisions.ts';
import type { LiveEvent } from '../../../client/chat/live-parts.ts';
import { unsettledAnswers } from '../../../client/chat/message-parts.ts';
import { nextStep } from '../../../client/chat/next-step.ts';
import type { FailureKind } from '../../../client/chat/request-failure.ts';
import {
  type ChatsApi,
  type LoadedChat,
  loadChat,
  type StoredChat,
} from '../../../client/chat/stored-chat.ts';
import { useLatest } from '../../use-latest.ts';

/** Brings a chat back to the server's state. Each may be called at any time; nothing runs twice. */
export type ChatRecovery = {
  /** Loads the stored chat and follows its run, if one is active or waiting. */
  readonly synchronize: () => Promise<void>;
  /** Loads the stored messages only: a new message may change the turn before it (H8, T16). */
  readonly refresh: () => Promise<void>;
  /** Repeats what failed: an unsent answer, an unreceived message, a failed run; or just follows the run. */
  readonly retry: () => Promise<void>;
  /** A retry is under way that the server has not replied to. */
  readonly isRetrying: boolean;
};

/** What recovery needs. */
export type RecoverySettings<Message extends UIMessage> = ChatsApi & {
  readonly chat: UseChatHelpers<Message>;
  readonly decisions: GivenDecisions;
  /** Why the last request failed. */
  readonly failure: FailureKind | undefined;
  readonly feed: (event: LiveEvent<Message>) => void;
  /** The server could not be reached. */
  readonly onUnreachable: () => void;
  /** The server was reached, and the retry is in progress. */
  readonly onReached: () => void;
};

/** Recovers a chat after a failed request, a stop, or an answer given elsewhere. */
export function useChatRecovery<Message extends UIMessage>(
  settings: RecoverySettings<Message>,
): ChatRecovery {
  const { chat, decisions, failure, feed, api, fetch, onUnreachable, onReached } = settings;
  const [isRetrying, setRetrying] = useState(false);

  const messagesNow = useLatest(() => chat.messages);

  const load = (): Promise<LoadedChat<Message>> => loadChat<Message>(chat.id, { api, fetch });

  const adopt = async ({ messages, drafts, questions, open, run }: StoredChat<Message>): Promise<void> => {
    if (open !== undefined) decisions.askedAgain(open);
    chat.clearError();
    feed({ type: 'restored', drafts, questions, messages, over: messagesNow() });
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
    // Messages that changed meanwhile are newer than the loaded ones.
    if (messagesNow() === before) chat.setMessages(loaded.chat.messages);
  };

  /** Sends the message by its own id: a regenerate would not start a chat. */
  const sendAgain = async (): Promise<void> => {
    const unsent = chat.messages.findLast(({ role }) => role === 'user');
    if (unsent) await chat.sendMessage({ ...unsent, messageId: unsent.id });
  };

  const repeat = async (): Promise<void> => {
    // An answer can be repeated: only the first one counts (H10). Of one that was not given on this page, the edits are
    // unknown, so the question is asked again instead.
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
