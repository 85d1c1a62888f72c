import type { UIMessage } from 'ai';
import type { ApprovalChatState } from './approval-chat-types.ts';
import { itemsOf } from './chat-items.ts';
import type { ChatPhase } from './chat-phase.ts';
import { unreleased } from './live/draft.ts';
import type { LiveParts } from './live/live-parts.ts';
import { lastReplyIn } from './message-parts.ts';

/** What to show of a chat: its draft, and each message in the order in which it was made. */
export function chatView<Message extends UIMessage>(
  messages: readonly Message[],
  live: LiveParts,
  phase: ChatPhase,
): Pick<ApprovalChatState<Message>, 'draft' | 'itemsOf'> {
  const reply = lastReplyIn(messages);
  const isCancelling = phase === 'running' && messages.at(-1)?.role === 'user';
  const last = isCancelling ? messages.at(-1) : (reply ?? messages.at(-1));
  const draft = phase === 'idle' ? [] : unreleased(live.draft, last);
  return {
    draft: draft.map(({ text }) => text).join('\n\n'),
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
