'use client';

import type { UIMessage } from 'ai';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { ApprovalChat } from '../../client/chat/approval-chat.ts';
import type { ApprovalChatOptions, ApprovalChatState } from '../../client/chat/approval-chat-types.ts';
import { defaultChatWords } from '../../client/words/chat-words.ts';
import { useRetryWhenReached } from '../connection/server-connection.ts';
import { useFeedSource } from '../inbox/approval-feed.tsx';
import { useSection } from '../words/use-section.ts';

/**
 * `ApprovalChat` for React, with the feed, the connection and the texts of the surrounding providers. Another chat needs
 * another component (`key`).
 *
 * @source H1-H13, P1-P8, T6
 */
export function useApprovalChat<Message extends UIMessage = UIMessage>(
  options: ApprovalChatOptions<Message>,
): ApprovalChatState<Message> {
  const words = useSection('chat', defaultChatWords);
  const source = useFeedSource();
  const given = { words, ...options, feed: options.feed ?? source ?? true };
  const [chat] = useState(() => new ApprovalChat<Message>(given));
  useEffect(() => chat.setOptions(given));
  const state = useSyncExternalStore(chat.subscribe, chat.getState, chat.getState);
  useRetryWhenReached(state.status === 'streaming');
  return state;
}
