import type { UIMessage } from 'ai';

/** Messages of the reference app: plain UI messages, since its data parts are transient (T6). */
export type ChatMessage = UIMessage;

/** A part that shows a call, static or dynamic. */
export type ToolPart = Extract<ChatMessage['parts'][number], { toolCallId: string }>;
