'use client';

import type { UIMessage } from 'ai';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { ApprovalChatOptions, ApprovalChatState } from '../../client/chat/approval-chat-types.ts';
import type { StateStore } from '../../client/state-store.ts';
import { defaultChatWords } from '../../client/words/chat-words.ts';
import { useRetryWhenReached } from '../connection/server-connection.ts';
import { useFeedSource } from '../inbox/approval-feed.tsx';
import { useSection } from '../words/use-section.ts';

type ChatStore<Message extends UIMessage, Options> = StateStore<ApprovalChatState<Message>> & {
  setOptions(options: Options): void;
};

/** One chat, with the feed, the connection and the texts of the surrounding providers. */
export function useChatStore<
  Message extends UIMessage,
  Options extends Pick<ApprovalChatOptions<Message>, 'feed' | 'words'>,
>(options: Options, create: (given: Options) => ChatStore<Message, Options>): ApprovalChatState<Message> {
  const words = useSection('chat', defaultChatWords);
  const source = useFeedSource();
  const given = { words, ...options, feed: options.feed ?? source ?? true };
  const [chat] = useState(() => create(given));
  useEffect(() => chat.setOptions(given));
  const state = useSyncExternalStore(chat.subscribe, chat.getState, chat.getState);
  useRetryWhenReached(state.status === 'streaming');
  return state;
}
