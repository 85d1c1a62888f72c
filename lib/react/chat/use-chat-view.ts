'use client';

import type { UIMessage } from 'ai';
import { useMemo } from 'react';
import { callsOf, itemsOf } from '../../client/chat/chat-items.ts';
import type { ChatPhase } from '../../client/chat/chat-phase.ts';
import { type Draft, unreleased } from '../../client/chat/draft.ts';
import type { LiveParts } from '../../client/chat/live-parts.ts';
import { lastReplyIn } from '../../client/chat/message-parts.ts';
import type { ApprovalChat } from './approval-chat-types.ts';

/** The sources of a chat's view. */
export type ChatViewSettings<Message extends UIMessage> = {
  readonly messages: readonly Message[];
  readonly live: LiveParts<Message>;
  /** The draft of `live`, or a slightly older one while it grows. */
  readonly written: Draft;
  readonly phase: ChatPhase;
};

/** What to show of a chat: its draft, its calls, and each message in reading order. */
export function useChatView<Message extends UIMessage>(
  settings: ChatViewSettings<Message>,
): Pick<ApprovalChat<Message>, 'draft' | 'tools' | 'itemsOf'> {
  const { messages, live, written, phase } = settings;
  const { reports, answers, sending } = live;
  const reply = lastReplyIn(messages);
  const isCancelling = phase === 'running' && messages.at(-1)?.role === 'user';
  const last = isCancelling ? messages.at(-1) : (reply ?? messages.at(-1));
  // Late text would move a question that is already shown.
  const texts = phase === 'running' ? written : live.draft;
  const draft = phase === 'idle' ? [] : unreleased(texts, last);
  const tools = useMemo(
    () => callsOf(messages, { reports, answers, sending }),
    [messages, reports, answers, sending],
  );
  return {
    draft: draft.map(({ text }) => text).join('\n\n'),
    tools,
    itemsOf(message) {
      const isNew = !messages.some((one) => one === message);
      const isLast = last === message || isNew;
      return itemsOf(message, live, {
        isLast: reply === message || isNew,
        isCancelling,
        isRunning: isLast && phase !== 'idle',
        draft: isLast ? draft : [],
      });
    },
  };
}
