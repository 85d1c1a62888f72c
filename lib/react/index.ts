export type { ChatItem } from '../client/chat/chat-items.ts';
export type { ChatPhase } from '../client/chat/chat-phase.ts';
export type { KnownAnswer } from '../client/chat/known-answers.ts';
export { messageItems, type ToolEventsItem } from '../client/chat/message-items.ts';
export { questionOfPart, textOf } from '../client/chat/message-parts.ts';
export type { OutcomeToRecord } from '../client/chat/post-outcome.ts';
export type { FailureKind, RequestFailure } from '../client/chat/request-failure.ts';
export type { Resolution } from '../client/chat/resolution.ts';
export {
  type ChatsApi,
  type LoadedChat,
  loadChat,
  newChat,
  type StoredChat,
} from '../client/chat/stored-chat.ts';
export type { CallState, CallView } from '../client/chat/tool-call.ts';
export type { ApprovalTransport } from '../client/chat/watched-transport.ts';
export type { AnswerResult } from '../client/inbox/answer-result.ts';
export type { ApprovalsApi } from '../client/inbox/approvals-api.ts';
export type { BatchResult } from '../client/inbox/deny-each.ts';
export { filterQuestions, type InboxFilter } from '../client/inbox/filter-questions.ts';
export type { FeedConnection, FeedEvent } from '../client/inbox/read-approval-feed.ts';
export type {
  Decision,
  Person,
  Question,
  QuestionAnswer,
  QuestionState,
  Remember,
  Repeat,
} from '../client/question.ts';
export { parseDescriptor, parseQuestion, readableName } from '../client/question.ts';
export type { LoadedTimeline, TimelineApi } from '../client/timeline/load-timeline.ts';
export {
  parseTimeline,
  type Timeline,
  type TimelineSpan,
  type TimelineSummary,
  type TimelineTurn,
} from '../client/timeline/parse-timeline.ts';
export { readToolEvents } from '../client/tool-events/read-tool-events.ts';
export type { AskedApproval, ToolEventsMessage } from '../client/tool-events/tool-events-state.ts';
export { createChatId } from '../protocol/chat-id.ts';
export type { LoadInputSchema } from './card/answer/load-input-schema.ts';
export type { OnStepUp, StepUpState } from './card/answer/step-up-part.tsx';
export { ApprovalCard, type ApprovalCardProps } from './card/approval-card.tsx';
export { type ApprovalCardState, useApprovalCard } from './card/card-context.ts';
export { ReadableValue } from './card/evidence/readable-value.tsx';
export { ToolCard, type ToolCardProps } from './card/tool-card.tsx';
export type { Attention } from './card/use-question-focus.ts';
export type {
  ApprovalChat,
  ApprovalChatOptions,
  ApproveOptions,
  DenyOptions,
  QuestionOf,
} from './chat/approval-chat-types.ts';
export { ToolInvocation, type ToolInvocationProps } from './chat/tool-invocation.tsx';
export { useApprovalChat } from './chat/use-approval-chat.ts';
export { type ChatFromUrlOptions, type UrlChatLoading, useChatFromUrl } from './chat/use-chat-from-url.ts';
export type { Connection } from './chat/use-connection.ts';
export { type ChatLoading, type StoredChatOptions, useStoredChat } from './chat/use-stored-chat.ts';
export { ApprovalFeedProvider, useApprovalFeed } from './inbox/approval-feed.tsx';
export { ApprovalInbox, type ApprovalInboxProps } from './inbox/approval-inbox.tsx';
export { type InboxView, useInbox } from './inbox/inbox-context.ts';
export {
  type ApprovalInboxOptions,
  type ApprovalInboxState,
  useApprovalInbox,
} from './inbox/use-approval-inbox.ts';
export { type TimelineView, useTimeline } from './timeline/timeline-context.ts';
export type { SpanPlace } from './timeline/timeline-row.tsx';
export { ToolTimeline, type ToolTimelineProps } from './timeline/tool-timeline.tsx';
export { type ToolTimelineState, useToolTimeline } from './timeline/use-tool-timeline.ts';
export { type ToolEventsChat, type ToolEventsOptions, useToolEvents } from './tool-events/use-tool-events.ts';
export { type CardWords, defaultCardWords } from './words/card-words.ts';
export type { ChatWords } from './words/chat-words.ts';
export { defaultInboxWords, type InboxWords } from './words/inbox-words.ts';
export { defaultTimelineWords, type TimelineWords } from './words/timeline-words.ts';
export { defaultInvocationWords, type InvocationWords } from './words/tool-invocation-words.ts';
export { englishWords, type Words, type WordsGiven, WordsProvider } from './words/words.tsx';
