export { ApprovalChat } from './chat/approval-chat.ts';
export type {
  ApprovalChatOptions,
  ApprovalChatState,
  ApproveOptions,
  ChatActions,
  Connection,
  DenyOptions,
  QuestionOf,
} from './chat/approval-chat-types.ts';
export { type LoadedChat, loadChat, newChat, type StoredChat } from './chat/stored-chat.ts';
export type { FeedReader, FeedSource } from './inbox/feed/approval-feed-reader.ts';
export { readApprovalFeed } from './inbox/feed/read-approval-feed.ts';
export { type ApprovalInboxOptions, type ApprovalInboxState, Inbox } from './inbox/inbox.ts';
export type { StateStore } from './state-store.ts';
