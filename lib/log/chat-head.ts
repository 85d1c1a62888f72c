import type { ChatId, FlowEvent } from '../protocol/index.ts';
import { kernelEvents } from './events/event-table.ts';
import type { ChatHead } from './store/index.ts';

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
export function advanceHead(before: ChatHead, events: readonly FlowEvent[]): ChatHead {
  const head = { ...before };
  for (const event of events) {
    const { seq, at: updatedAt, type } = event;
    Object.assign(head, { seq, updatedAt }, kernelEvents.get(type)?.head?.(event, head));
  }
  return head;
}
