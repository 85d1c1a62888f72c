import type { Repeat } from 'countersign/react';

/** The id of a call's element in its chat. */
export function callId(toolCallId: string): string {
  return `call-${toolCallId}`;
}

/** The address of an earlier call, for people who may see its chat. */
export function repeatHref({ chatId, toolCallId }: Repeat): string | undefined {
  if (chatId === undefined || toolCallId === undefined) return undefined;
  return `/chats/${chatId}#${encodeURIComponent(callId(toolCallId))}`;
}
