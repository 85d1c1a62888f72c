'use client';

import type { UIMessage } from 'ai';
import { useEffect, useRef } from 'react';
import { messagesDuringReplay } from '../../client/chat/messages-during-replay.ts';

/**
 * The messages to show. During a replay, the messages already shown stay until the replay has caught up.
 */
export function useMessagesDuringReplay<Message extends UIMessage>(
  messages: Message[],
  isReplaying: boolean,
): Message[] {
  const shown = useRef(messages);
  const steady = isReplaying ? messagesDuringReplay(shown.current, messages) : messages;
  useEffect(() => {
    shown.current = steady;
  }, [steady]);
  return steady;
}
