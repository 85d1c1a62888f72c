'use client';

import { type ApprovalChatState, type StoredChat, useApprovalChat } from 'countersign/react';
import { useEffect } from 'react';
import { useChatList } from '../_list/chat-list.tsx';
import { useLocationTool } from '../_location/use-location-tool.ts';
import type { ChatMessage } from '../_messages/chat-message.ts';
import { clientTools, useTransport } from '../_transport/use-transport.ts';
import type { TransportMode } from '../_transport/use-transport-mode.ts';

/** A chat as its page needs it. */
export type PageChat = ApprovalChatState<ChatMessage>;

/**
 * One chat over the chosen transport, with the tool that this browser executes. The list of chats is read again
 * whenever the chat begins or ends something.
 *
 * @param stored the chat as the server has it, or an empty one
 */
export function usePageChat(stored: StoredChat<ChatMessage>, mode: TransportMode): PageChat {
  const { refresh } = useChatList();
  const chat = useApprovalChat<ChatMessage>({ stored, clientTools, ...useTransport(mode) });

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new phase is what changes the list
  useEffect(() => refresh(), [chat.phase, refresh]);

  const isBusy = chat.status === 'submitted' || chat.status === 'streaming';
  useLocationTool(chat.messages, !isBusy, (toolCallId, outcome) => {
    const tool = 'get_location';
    if (outcome.type === 'refused') {
      void chat.addToolOutput({ tool, toolCallId, state: 'output-error', errorText: outcome.reason });
      return;
    }
    const { latitude, longitude, accuracy } = outcome;
    void chat.addToolOutput({ tool, toolCallId, output: { latitude, longitude, accuracy } });
  });

  return chat;
}
