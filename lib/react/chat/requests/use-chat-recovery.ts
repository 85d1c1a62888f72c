'use client';

import type { UIMessage } from 'ai';
import { useEffect, useState } from 'react';
import { useLatest } from '../../use-latest.ts';
import { useChatWords } from '../../words/use-words.ts';
import { createChatRecovery, type RecoverySettings } from './chat-recovery.ts';

/** Brings a chat back to the server's state. Each may be called at any time; nothing runs twice. */
export type ChatRecovery = {
  /** Loads the stored chat and follows its run, if one is active or waiting. */
  readonly synchronize: () => Promise<void>;
  /**
   * Compares with the stored chat after a lost connection, and shows what changed. Sends nothing: an answer
   * or a message that the server does not have is kept for the person to resend.
   */
  readonly catchUp: () => Promise<void>;
  /** Asks the questions of these failed answers again, and checks whether the server has received them. */
  readonly askAgain: (unconfirmed: readonly string[], said?: string) => Promise<void>;
  /** Loads the stored messages only: what is known about a call has changed. */
  readonly refresh: () => Promise<void>;
  /** Loads one message that has changed: a new message may change the turn before it (H8, T16). */
  readonly reread: (messageId: string) => Promise<void>;
  /** Repeats what failed: an answer or a message that was not received, a failed run; or just follows the run. */
  readonly retry: () => Promise<void>;
  /** A retry is in progress, and the server has not replied. */
  readonly isRetrying: boolean;
};

/** Recovers a chat after a failed request, a stop, or an answer given elsewhere. */
export function useChatRecovery<Message extends UIMessage>(
  settings: RecoverySettings<Message>,
): ChatRecovery {
  const { chat, failure } = settings;
  const words = useChatWords();
  const [isRetrying, setRetrying] = useState(false);
  const messagesNow = useLatest(() => chat.messages);
  const isBusy = useLatest(() => chat.status === 'submitted' || chat.status === 'streaming');
  const recovery = createChatRecovery(settings, words, messagesNow, isBusy);

  const retry = useLatest(async (): Promise<void> => {
    setRetrying(true);
    try {
      await recovery.repeat();
    } finally {
      setRetrying(false);
    }
  });

  const catchUp = useLatest(recovery.catchUp);
  const isFailed = failure !== undefined;
  useEffect(() => {
    const onOnline = () => void (isFailed && catchUp());
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [isFailed, catchUp]);

  return {
    ...{ retry, isRetrying, catchUp },
    synchronize: useLatest(recovery.synchronize),
    refresh: useLatest(recovery.refresh),
    reread: useLatest(recovery.reread),
    askAgain: useLatest(recovery.askAgain),
  };
}
