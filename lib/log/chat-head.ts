import type { ChatId, FlowEvent } from '../protocol/index.ts';
import type { ChatHead } from './store/index.ts';

const titleLength = 80;

/** The head of a chat that has no events yet. */
export function newChatHead(id: ChatId, ownerId: string, now: number): ChatHead {
  return {
    id,
    ownerId,
    title: '',
    createdAt: now,
    updatedAt: now,
    seq: 0,
    turnSeq: 0,
    status: 'idle',
    runId: null,
    open: null,
    auditHead: null,
  };
}

/** The head after more events: what lists and requests need to know without reading the log. */
export function advanceHead(head: ChatHead, events: readonly FlowEvent[]): ChatHead {
  return events.reduce(advance, head);
}

function advance(head: ChatHead, event: FlowEvent): ChatHead {
  const next = { ...head, seq: event.seq, updatedAt: event.at };
  switch (event.type) {
    case 'message-received':
      return { ...next, turnSeq: event.seq, title: head.title || titleOf(event.parts) };
    case 'chat-imported':
    case 'message-imported':
    case 'history-cut':
      return { ...next, turnSeq: event.seq };
    case 'approval-previewed':
    case 'approval-escalated':
    case 'approval-reminded':
      // Not an activity of the chat: its place in lists and its retention period do not change.
      return { ...head, seq: event.seq };
    case 'run-started':
      return { ...next, status: 'active', runId: event.runId };
    case 'approval-requested':
      return { ...next, open: event.approvalId };
    case 'approval-answered':
    case 'approval-withdrawn':
      return { ...next, open: null };
    case 'run-suspended':
      return { ...next, status: 'waiting' };
    case 'run-completed':
    case 'run-cancelled':
      return { ...next, status: 'idle' };
    case 'run-failed':
      return { ...next, status: 'failed' };
    default:
      return next;
  }
}

/** The title of a chat that begins with these parts. */
export function titleOf(parts: readonly { readonly type: string; readonly text?: string }[]): string {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ');
  const line = text.trim().replaceAll(/\s+/g, ' ');
  if (line === '') return 'New chat';
  return line.length <= titleLength ? line : `${line.slice(0, titleLength - 1).trimEnd()}…`;
}
