'use client';

import type { UIMessage } from 'ai';
import { useEffect, useRef } from 'react';
import { steadyMessages } from '../../client/chat/reuse-messages.ts';

/**
 * The messages to show: while a response is replayed, those already shown stay until the replay has caught up with
 * them.
 */
export function useSteadyMessages<Message extends UIMessage>(
  messages: Message[],
  isReplaying: boolean,
): Message[] {
  const shown = useRef(messages);
  const steady = isReplaying ? steadyMessages(shown.current, messages) : messages;
  useEffect(() => {
    shown.current = steady;
  }, [steady]);
  return steady;
}
