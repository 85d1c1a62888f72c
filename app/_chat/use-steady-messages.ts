'use client';

import { useEffect, useRef } from 'react';
import type { ChatMessage } from './chat-message.ts';
import { steadyMessages } from './steady-messages.ts';

/**
 * The messages to show: while a response is replayed, those already shown stay until the replay has caught
 * up with them.
 */
export function useSteadyMessages(
  messages: readonly ChatMessage[],
  replaying: boolean,
): readonly ChatMessage[] {
  const shown = useRef(messages);
  const steady = replaying ? steadyMessages(shown.current, messages) : messages;
  useEffect(() => {
    shown.current = steady;
  }, [steady]);
  return steady;
}
