import { calls, type Turn } from '../../log/turn/turn.ts';
import { type ChatId, canonicalJson, type JsonValue, type ToolCallId, toJson } from '../../protocol/index.ts';
import { isCallId, madeCallId } from '../made-call-id.ts';
import type { ToolCall } from './step-content.ts';

export type Ids = Map<ToolCall, { readonly id: ToolCallId; readonly isNew: boolean }>;

export type Place = {
  readonly chatId: ChatId;
  readonly turn: Turn;
  /** Counts from 0 within the turn, or within the subagent. */
  readonly step: number;
  /** True for an id that the chat has already. */
  readonly isUsed: (id: string) => boolean;
};

/** Whether a call gets another id than the model gave it: the chat has that one, or no client could return it. */
export function needsOwnId(id: string, isUsed: Place['isUsed']): boolean {
  return !isCallId(id) || isUsed(id);
}

/** A repeated id is replaced, unless a provider repeats an approved call, under any id: that is the approved one (T14). */
export function assignIds(toolCalls: readonly ToolCall[], { chatId, turn, step, isUsed }: Place): Ids {
  const ids: Ids = new Map();
  const taken = new Set<string>();
  const awaited = calls(turn).filter(
    ({ requested, answered, end }) => requested.executor === 'provider' && answered?.approved && !end,
  );
  toolCalls.forEach((toolCall, index) => {
    const known = toolCall.providerExecuted ? takeAwaited(awaited, toolCall) : undefined;
    if (known) {
      ids.set(toolCall, { id: known, isNew: false });
      return;
    }
    const isTaken = (candidate: string) => taken.has(candidate) || isUsed(candidate);
    const id = needsOwnId(toolCall.toolCallId, isTaken)
      ? madeCallId(isTaken, chatId, turn.messageId, turn.agent, step, index)
      : (toolCall.toolCallId as ToolCallId);
    taken.add(id);
    ids.set(toolCall, { id, isNew: true });
  });
  return ids;
}

function takeAwaited(awaited: ReturnType<typeof calls>, toolCall: ToolCall): ToolCallId | undefined {
  const input = canonicalJson(inputOf(toolCall));
  const sameId = awaited.findIndex(({ requested }) => requested.toolCallId === toolCall.toolCallId);
  const index =
    sameId !== -1
      ? sameId
      : awaited.findIndex(
          ({ requested }) =>
            requested.toolName === toolCall.toolName && canonicalJson(requested.input) === input,
        );
  return index === -1 ? undefined : awaited.splice(index, 1)[0]?.requested.toolCallId;
}

/** @throws Error for a call of another step */
export function idOf(ids: Ids, toolCall: ToolCall) {
  const entry = ids.get(toolCall);
  if (!entry) throw new Error(`Tool call ${toolCall.toolCallId} was given no id.`);
  return entry;
}

/** The arguments as they are logged. What the schema could not parse is kept as it came. */
export function inputOf(toolCall: ToolCall): JsonValue {
  return toJson(toolCall.input);
}
