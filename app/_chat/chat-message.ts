import type { UIMessage } from 'ai';
import { getToolName, isToolUIPart } from 'ai';

/** Messages of the reference app: plain UI messages, since its data parts are transient (T6). */
export type ChatMessage = UIMessage;

/** One part of a message. */
export type ChatPart = ChatMessage['parts'][number];

/** A part that shows a call, static or dynamic. */
export type ToolPart = Extract<ChatPart, { toolCallId: string }>;

/** A part whose question is open. */
export type OpenPart = Extract<ToolPart, { state: 'approval-requested' }>;

/** Whether the part is a call that a person is asked about. */
export function isOpenPart(part: ChatPart): part is OpenPart {
  return isToolUIPart(part) && part.state === 'approval-requested' && part.approval.isAutomatic !== true;
}

/** The open question of the chat: only the last message can hold one. */
export function openPartOf(messages: readonly ChatMessage[]): OpenPart | undefined {
  const last = messages.at(-1);
  return last?.role === 'assistant' ? last.parts.find(isOpenPart) : undefined;
}

/** All text of a message, blocks apart by a blank line. */
export function textOf(message: ChatMessage): string {
  return message.parts
    .flatMap((part) => (part.type === 'text' && part.text.trim() !== '' ? [part.text] : []))
    .join('\n\n');
}

/** Whether an answer was given here that the server may not have received yet. */
export function holdsUnsentAnswer(messages: readonly ChatMessage[]): boolean {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return false;
  const calls = last.parts.filter(isToolUIPart);
  return calls.some((part) => part.state === 'approval-responded') && !calls.some(isOpenPart);
}

/** Name of the tool that a part calls. */
export function toolNameOf(part: ToolPart): string {
  return getToolName(part);
}
