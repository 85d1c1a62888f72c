import { advanceHead } from '../../lib/log/chat-head.ts';
import type { FlowStore } from '../../lib/log/store/index.ts';
import type { ChatId, Clock, FlowEvent, RunId } from '../../lib/protocol/index.ts';

/**
 * Approves a chat's open question like an instance that dies before the call starts: the answer is durable, the run's
 * lease ends after a millisecond, and no process owns it.
 */
export async function approveThenCrash(store: FlowStore, chatId: ChatId, clock: Clock): Promise<void> {
  const head = await store.chats.head(chatId);
  const log = await store.events.read(chatId, 0);
  const start = log.find((event) => event.type === 'run-started');
  const asked = log.find((event) => event.type === 'approval-requested');
  if (!head || start?.type !== 'run-started' || asked?.type !== 'approval-requested') {
    throw new Error(`Chat ${chatId} has no open question.`);
  }
  const { messageId, release, by } = start;
  const { toolCallId, approvalId } = asked;
  const at = clock.now();
  const runId = 'run_crashed' as RunId;
  const answer = { approvalId, toolCallId, approved: true, by, via: 'test' };
  const events: FlowEvent[] = [
    { type: 'run-started', messageId, release, by, seq: head.seq + 1, at, runId },
    { type: 'approval-answered', ...answer, seq: head.seq + 2, at, runId },
  ];
  const lease = { owner: 'crashed', until: at + 1 };
  const moved = advanceHead(head, events);
  await store.append({
    chatId,
    after: head.seq,
    events,
    head: moved,
    questions: [],
    owner: 'crashed',
    lease,
  });
}
