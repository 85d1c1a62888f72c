export type {
  ApprovalChat,
  ApprovalChatOptions,
  ApproveOptions,
  DenyOptions,
  QuestionOf,
} from './approval-chat-types.ts';
export type { ChatItem } from './chat/chat-items.ts';
export type { ChatPhase } from './chat/chat-phase.ts';
export type { ChatWords } from './chat/chat-words.ts';
export type { KnownAnswer } from './chat/known-answers.ts';
export { questionOfPart, textOf } from './chat/message-parts.ts';
export type { FailureKind, RequestFailure } from './chat/request-failure.ts';
export { type ChatsApi, type LoadedChat, loadChat, newChat, type StoredChat } from './chat/stored-chat.ts';
export type { CallState, CallView } from './chat/tool-call.ts';
export type { Connection } from './chat/use-connection.ts';
export type { ApprovalTransport } from './chat/watched-transport.ts';
export { messageItems, type ToolEventsItem } from './message-items.ts';
export { readToolEvents } from './read-tool-events.ts';
export type { AskedApproval, ToolEventsMessage } from './tool-events-state.ts';
export { ToolInvocation, type ToolInvocationProps } from './tool-invocation.tsx';
export { defaultInvocationWords, type InvocationWords } from './tool-invocation-words.ts';
export { useApprovalChat } from './use-approval-chat.ts';
export { type ChatLoading, type StoredChatOptions, useStoredChat } from './use-stored-chat.ts';
export { type ToolEventsChat, type ToolEventsOptions, useToolEvents } from './use-tool-events.ts';
