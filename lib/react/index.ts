export { createChatId } from '../vocabulary/chat-id.ts';
export { ApprovalCard, type ApprovalCardProps } from './approval-card.tsx';
export type {
  ApprovalChat,
  ApprovalChatOptions,
  ApproveOptions,
  DenyOptions,
  QuestionOf,
} from './approval-chat-types.ts';
export { ApprovalInbox, type ApprovalInboxProps } from './approval-inbox.tsx';
export { type ApprovalCardState, useApprovalCard } from './card/card-context.ts';
export type { LoadInputSchema } from './card/load-input-schema.ts';
export { ReadableValue } from './card/readable-value.tsx';
export type { OnStepUp, StepUpState } from './card/step-up-part.tsx';
export type { Attention } from './card/use-question-focus.ts';
export { type CardWords, defaultCardWords } from './card-words.ts';
export type { ChatItem } from './chat/chat-items.ts';
export type { ChatPhase } from './chat/chat-phase.ts';
export type { ChatWords } from './chat/chat-words.ts';
export type { KnownAnswer } from './chat/known-answers.ts';
export { questionOfPart, textOf } from './chat/message-parts.ts';
export type { OutcomeToRecord } from './chat/post-outcome.ts';
export type { FailureKind, RequestFailure } from './chat/request-failure.ts';
export type { Resolution } from './chat/resolution.ts';
export { type ChatsApi, type LoadedChat, loadChat, newChat, type StoredChat } from './chat/stored-chat.ts';
export type { CallState, CallView } from './chat/tool-call.ts';
export type { Connection } from './chat/use-connection.ts';
export type { ApprovalTransport } from './chat/watched-transport.ts';
export type { AnswerResult } from './inbox/answer-result.ts';
export { ApprovalFeedProvider, useApprovalFeed } from './inbox/approval-feed.tsx';
export type { ApprovalsApi } from './inbox/approvals-api.ts';
export type { BatchResult } from './inbox/deny-each.ts';
export { filterQuestions, type InboxFilter } from './inbox/filter-questions.ts';
export { type InboxView, useInbox } from './inbox/inbox-context.ts';
export type { FeedConnection, FeedEvent } from './inbox/read-approval-feed.ts';
export { defaultInboxWords, type InboxWords } from './inbox-words.ts';
export { messageItems, type ToolEventsItem } from './message-items.ts';
export type {
  Decision,
  Person,
  Question,
  QuestionAnswer,
  QuestionState,
  Remember,
  Repeat,
} from './question.ts';
export { parseDescriptor, parseQuestion, readableName } from './question.ts';
export { readToolEvents } from './read-tool-events.ts';
export type { LoadedTimeline, TimelineApi } from './timeline/load-timeline.ts';
export {
  parseTimeline,
  type Timeline,
  type TimelineSpan,
  type TimelineSummary,
  type TimelineTurn,
} from './timeline/parse-timeline.ts';
export { type TimelineView, useTimeline } from './timeline/timeline-context.ts';
export type { SpanPlace } from './timeline/timeline-row.tsx';
export { type ToolTimelineState, useToolTimeline } from './timeline/use-tool-timeline.ts';
export { defaultTimelineWords, type TimelineWords } from './timeline-words.ts';
export { ToolCard, type ToolCardProps } from './tool-card.tsx';
export type { AskedApproval, ToolEventsMessage } from './tool-events-state.ts';
export { ToolInvocation, type ToolInvocationProps } from './tool-invocation.tsx';
export { defaultInvocationWords, type InvocationWords } from './tool-invocation-words.ts';
export { ToolTimeline, type ToolTimelineProps } from './tool-timeline.tsx';
export { useApprovalChat } from './use-approval-chat.ts';
export {
  type ApprovalInboxOptions,
  type ApprovalInboxState,
  useApprovalInbox,
} from './use-approval-inbox.ts';
export { type ChatFromUrlOptions, type UrlChatLoading, useChatFromUrl } from './use-chat-from-url.ts';
export { type ChatLoading, type StoredChatOptions, useStoredChat } from './use-stored-chat.ts';
export { type ToolEventsChat, type ToolEventsOptions, useToolEvents } from './use-tool-events.ts';
export { englishWords, type Words, type WordsGiven, WordsProvider } from './words.tsx';
