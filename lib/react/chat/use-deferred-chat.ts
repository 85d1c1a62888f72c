'use client';

import type { UIMessage } from 'ai';
import type { ApprovalChatState } from '../../client/chat/approval-chat-types.ts';
import { DeferredChat, type DeferredChatOptions } from '../../client/chat/deferred-chat.ts';
import { useChatStore } from './use-chat-store.ts';

/**
 * `useApprovalChat` for a page that shows a stored chat before it loads the SDK: the SDK is loaded for the first action of this person,
 * or for a run that is followed.
 *
 * @source H4, H11
 */
export function useDeferredChat<Message extends UIMessage = UIMessage>(
  options: DeferredChatOptions<Message>,
): ApprovalChatState<Message> {
  return useChatStore(options, (given) => new DeferredChat<Message>(given));
}
