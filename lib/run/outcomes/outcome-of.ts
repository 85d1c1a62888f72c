import type { FlowStore } from '../../log/store/index.ts';
import { isUnknown } from '../../log/turn/call-end.ts';
import { applyToTurn } from '../../log/turn/fold-turn.ts';
import { type Call, emptyTurn } from '../../log/turn/turn.ts';
import type { ChatId, Repeat, ToolCallId } from '../../protocol/index.ts';

/** A call of any turn of a chat, by its id. Reads the whole log of the chat. */
export async function callOf(
  store: FlowStore,
  { chatId, toolCallId }: { readonly chatId: ChatId; readonly toolCallId: ToolCallId },
): Promise<Call | undefined> {
  const all = emptyTurn();
  for (const event of await store.events.read(chatId, 0)) applyToTurn(all, event);
  return all.calls.get(toolCallId);
}

/** What came of a call that was cleared to run; `undefined` for one that came to nothing before it began. */
export function outcomeOf({ started, end, resolved, requested }: Call): Repeat['outcome'] | undefined {
  if (resolved) return resolved.outcome === 'not-run' ? undefined : resolved.outcome;
  switch (end?.type) {
    case undefined:
      return started ? 'running' : 'approved';
    case 'tool-completed':
      return 'completed';
    case 'tool-failed':
      if (requested.invalid) return undefined;
      return isUnknown(end) ? 'unknown' : 'failed';
    case 'tool-cancelled':
      return started && 'unknown';
    case 'tool-denied':
      return undefined;
  }
}
