import { LRUCache } from 'lru-cache';
import type { ChatHead } from '../../log/store/index.ts';
import type { ChatId, FlowEvent, Repeat, RunId, ToolCallId } from '../../protocol/index.ts';

/** How many calls are remembered. */
const keptCalls = 1_000;

/** The outcome of a call, as far as this instance wrote it. */
type Known = {
  readonly chatId: ChatId;
  readonly ownerId: string;
  readonly outcome: Repeat['outcome'];
  readonly runId: RunId | undefined;
};

/**
 * The outcomes of the calls that this instance wrote last, so that a question about a repeated call is asked without
 * reading another chat's log. It only returns what cannot change elsewhere: a known end, or the state of a run that this
 * instance executes.
 *
 * @param isLocal true for a run that this instance executes
 */
export function createRecentOutcomes(isLocal: (runId: RunId) => boolean) {
  const known = new LRUCache<string, Known>({ max: keptCalls });

  return {
    /** Takes events that became durable. */
    take({ id: chatId, ownerId }: Pick<ChatHead, 'id' | 'ownerId'>, event: FlowEvent): void {
      if (!('toolCallId' in event)) return;
      const key = keyOf(chatId, event.toolCallId);
      const outcome = outcomeAfter(event);
      if (outcome === 'nothing') known.delete(key);
      else if (outcome) known.set(key, { chatId, ownerId, outcome, runId: event.runId });
    },

    /** `undefined` if the log has to be read. */
    of(chatId: ChatId, toolCallId: ToolCallId): Pick<Known, 'outcome' | 'ownerId'> | undefined {
      const call = known.peek(keyOf(chatId, toolCallId));
      if (!call) return undefined;
      const isFinal = call.outcome === 'completed' || call.outcome === 'failed';
      return isFinal || (call.runId !== undefined && isLocal(call.runId)) ? call : undefined;
    },

    /** Forgets the calls of an erased chat: its id may be used again. */
    forget(chatId: ChatId): void {
      for (const [key, call] of [...known]) if (call.chatId === chatId) known.delete(key);
    },
  };
}

export type RecentOutcomes = ReturnType<typeof createRecentOutcomes>;

function keyOf(chatId: ChatId, toolCallId: ToolCallId): string {
  return `${chatId} ${toolCallId}`;
}

/** `nothing`: the log says more than this event. */
function outcomeAfter(event: FlowEvent): Repeat['outcome'] | 'nothing' | undefined {
  switch (event.type) {
    case 'approval-answered':
      return event.approved ? 'approved' : 'nothing';
    case 'approval-granted':
      return 'approved';
    case 'tool-started':
      return 'running';
    case 'tool-completed':
      return 'completed';
    case 'tool-failed':
      return event.outcome === 'failed' ? 'failed' : 'nothing';
    case 'tool-denied':
    case 'tool-cancelled':
    case 'outcome-resolved':
      return 'nothing';
    default:
      return undefined;
  }
}
