'use client';

import type { UseChatHelpers } from '@ai-sdk/react';
import type { UIMessage } from 'ai';
import { useEffect, useRef } from 'react';
import { useLatest } from '../../use-latest.ts';

/** What superseding needs. */
export type SupersedingSettings<Message extends UIMessage> = {
  readonly chat: UseChatHelpers<Message>;
  /** A question is open: a new message cancels it. */
  readonly isAsking: boolean;
  readonly refresh: () => Promise<void>;
};

/**
 * Sends messages. One that cancels an open question also changes the turn before it, which is read again when the new
 * turn has ended.
 */
export function useSuperseding<Message extends UIMessage>(
  settings: SupersedingSettings<Message>,
): UseChatHelpers<Message>['sendMessage'] {
  const { chat, isAsking, refresh } = settings;
  const supersedes = useRef(false);

  const onStatus = useLatest(() => {
    if (chat.status !== 'ready' || !supersedes.current) return;
    supersedes.current = false;
    void refresh();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the status changes
  useEffect(() => onStatus(), [chat.status, onStatus]);

  return useLatest((message, options) => {
    supersedes.current = message !== undefined && isAsking;
    return chat.sendMessage(message, options);
  });
}
