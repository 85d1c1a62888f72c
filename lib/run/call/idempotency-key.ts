import type { ChatId, RunId, ToolCallId } from '../../protocol/index.ts';
import { runtime } from '../../runtime/runtime.ts';

/**
 * The key of a call's effect, for services that take one: `idem_` and 43 characters of `A-Za-z0-9_-`. Unique over all
 * chats, and the same at each attempt: after a retry, a take-over, or from a restored backup.
 *
 * Models choose call ids, and two chats may have the same one. The run id of the chat's first event is
 * random, and differs if an erased chat's id is reused.
 *
 * @param firstRunId of the chat's first event
 * @source ADR 0019
 */
export function idempotencyKeyOf(firstRunId: RunId, chatId: ChatId, toolCallId: ToolCallId): string {
  return `idem_${runtime.digest(JSON.stringify([firstRunId, chatId, toolCallId]))}`;
}
