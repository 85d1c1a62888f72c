import type { ChatId, ToolCallId } from '../../protocol/index.ts';

/** A longer output is sent by reference: bytes of JSON in UTF-8. @source A6 */
export const mostOutputBytes = 64 * 1024;

/** The address of a result, relative to that of the dialect with a slash. @source A6 */
export function resultAddress(conversationId: ChatId, toolCallId: ToolCallId): string {
  return `result?${new URLSearchParams({ conversationId, toolCallId })}`;
}
