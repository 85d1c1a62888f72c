import type { ChatHead, FlowStore } from '../../../lib/log/store/index.ts';
import type { ChatId, FlowEvent } from '../../../lib/protocol/index.ts';

/**
 * The rejected order: a call is executed, and then its end is appended. Like the real engine, it decides from the log:
 * a call without an end still has to be executed.
 */
export async function executeBeforeAppend(
  store: FlowStore,
  chatId: ChatId,
  execute: () => void,
): Promise<void> {
  const events = await store.events.read(chatId, 0);
  const head = await store.chats.head(chatId);
  const requested = events.find((event) => event.type === 'tool-requested');
  if (!head || !requested || events.some((event) => event.type === 'tool-completed')) return;
  execute();
  const end: FlowEvent = {
    type: 'tool-completed',
    seq: head.seq + 1,
    at: head.updatedAt,
    runId: requested.runId,
    toolCallId: requested.toolCallId,
    output: null,
    modelOutput: { type: 'json', value: null },
    summary: '',
    resultCount: 0,
  };
  const next: ChatHead = { ...head, seq: end.seq };
  await store.append({
    chatId,
    after: head.seq,
    events: [end],
    head: next,
    questions: [],
    owner: 'rejected',
  });
}
