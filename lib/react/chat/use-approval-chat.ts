'use client';

import type { UIMessage } from 'ai';
import { ApprovalChat } from '../../client/chat/approval-chat.ts';
import type { ApprovalChatOptions, ApprovalChatState } from '../../client/chat/approval-chat-types.ts';
import { useChatStore } from './use-chat-store.ts';

/**
 * `ApprovalChat` for React, with the feed, the connection and the texts of the surrounding providers. Another chat needs
 * another component (`key`).
 *
 * @source H1-H13, P1-P8, T6
 */
export function useApprovalChat<Message extends UIMessage = UIMessage>(
  options: ApprovalChatOptions<Message>,
): ApprovalChatState<Message> {
  return useChatStore(options, (given) => new ApprovalChat<Message>(given));
}
