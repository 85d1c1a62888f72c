import { advanceHead } from '../../lib/log/chat-head.ts';
import type { FlowStore } from '../../lib/log/store-port.ts';
import type { ChatId, Clock, FlowEvent, RunId } from '../../lib/protocol/index.ts';

/**
 * Approves a chat's open question as an instance does that dies before the call starts: the answer is durable, the
 * lease of its run ends in a millisecond, and nobody holds it.
 */
export async function approvedAndGone(store: FlowStore, chatId: ChatId, clock: Clock): Promise<void> {
  const head = await store.head(chatId);
  const log = await store.read(chatId, 0);
  const start = log.find((event) => event.type === 'run-started');
  const asked = log.find((event) => event.type === 'approval-requested');
  if (!head || start?.type !== 'run-started' || asked?.type !== 'approval-requested') {
    throw new Error(`Nobody is asked in chat ${chatId}.`);
  }
  const { messageId, release, by } = start;
  const { toolCallId, approvalId } = asked;
  const at = clock.now();
  const runId = 'run_gone' as RunId;
  const answer = { approvalId, toolCallId, approved: true, by, via: 'test' };
  const events: FlowEvent[] = [
    { type: 'run-started', messageId, release, by, seq: head.seq + 1, at, runId },
    { type: 'approval-answered', ...answer, seq: head.seq + 2, at, runId },
  ];
  const lease = { owner: 'gone', until: at + 1 };
  const moved = advanceHead(head, events);
  await store.append({ chatId, after: head.seq, events, head: moved, questions: [], owner: 'gone', lease });
}
