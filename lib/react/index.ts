export { type OutcomeToRecord, postOutcome } from '../client/calls/post-outcome.ts';
export type { Resolution } from '../client/calls/resolution.ts';
export type { CallState, CallView } from '../client/calls/tool-call.ts';
export { forgetUnsent } from '../client/card/unsent.ts';
export type {
  ApprovalChatOptions,
  ApprovalChatState,
  ApproveOptions,
  Connection,
  DenyOptions,
  QuestionOf,
} from '../client/chat/approval-chat-types.ts';
export type { ChatItem } from '../client/chat/chat-items.ts';
export type { ChatPhase } from '../client/chat/chat-phase.ts';
export type { KnownAnswer } from '../client/chat/live/known-answers.ts';
export { questionOfPart, textOf } from '../client/chat/message-parts.ts';
export type { RequestFailure } from '../client/chat/requests/explain-failure.ts';
export type { FailureKind } from '../client/chat/requests/request-failure.ts';
export type { ApprovalTransport } from '../client/chat/requests/watched-transport.ts';
export {
  type ChatsApi,
  type LoadedChat,
  loadChat,
  newChat,
  type StoredChat,
} from '../client/chat/stored-chat.ts';
export type { LoadContext } from '../client/http/load-context.ts';
export type { LoadPreview, PreviewedCall } from '../client/http/load-preview.ts';
export type { BatchResult } from '../client/inbox/answer-each.ts';
export { type AnswerResult, UnconfirmedAnswerError } from '../client/inbox/answer-result.ts';
export type { ApprovalsApi } from '../client/inbox/approvals-api.ts';
export type { FeedConnection, FeedEvent, FeedOutage } from '../client/inbox/feed/approval-feed-reader.ts';
export { filterQuestions, type InboxFilter } from '../client/inbox/filter-questions.ts';
export type { ApprovalInboxOptions, ApprovalInboxState } from '../client/inbox/inbox.ts';
export { formatInboxSearch, parseInboxSearch } from '../client/inbox/inbox-search.ts';
export type {
  AddedFields,
  EarlierCall,
  NewAnswer,
  Person,
  Question,
  QuestionAnswer,
  QuestionState,
  Remember,
  Repeat,
} from '../client/question.ts';
export { parseDescriptor, parseQuestion } from '../client/question.ts';
export type { LoadedQuestion, QuestionApi, SealedLine } from '../client/sheet/load-question.ts';
export { readableName } from '../client/text/readable-name.ts';
export { visibleText } from '../client/text/visible-text.ts';
export type { LoadedTimeline, TimelineApi } from '../client/timeline/load-timeline.ts';
export {
  parseTimeline,
  type Timeline,
  type TimelineSpan,
  type TimelineSummary,
  type TimelineTurn,
} from '../client/timeline/parse-timeline.ts';
export type { ChatWords } from '../client/words/chat-words.ts';
export type { QuestionLines, Wording } from '../protocol/approval/question-lines.ts';
export { createChatId } from '../protocol/ids/chat-id.ts';
export { CardActions, CardApprove, CardDeny, CardPaused, CardRefusal } from './card/answer/action-parts.tsx';
export { CardDelivery } from './card/answer/delivery-part.tsx';
export { OutcomeForm } from './card/answer/outcome-form.tsx';
export { CardReason } from './card/answer/reason-part.tsx';
export { CardStepUp } from './card/answer/step-up-part.tsx';
export type { OnStepUp, StepUpState } from './card/answer/use-step-up.ts';
export { ApprovalCard, type ApprovalCardProps } from './card/approval-card.tsx';
export { type ApprovalCardState, useApprovalCard } from './card/card-context.ts';
export { CardFrame, type CardFrameProps } from './card/card-frame.tsx';
export { CardArguments, CardEdit } from './card/evidence/argument-parts.tsx';
export { CardChanges } from './card/evidence/change-part.tsx';
export { CardEarlier } from './card/evidence/earlier-part.tsx';
export { CardEffect } from './card/evidence/effect-part.tsx';
export { CardHistory } from './card/evidence/history-part.tsx';
export { QuestionContext } from './card/evidence/question-context.tsx';
export { CardRepeat } from './card/evidence/repeat-part.tsx';
export { ReadableValue } from './card/evidence/values/readable-value.tsx';
export { BackToQuestion, type BackToQuestionProps } from './card/focus/back-to-question.tsx';
export type { Attention } from './card/focus/use-question-focus.ts';
export {
  CardAsker,
  CardDeadline,
  CardDescription,
  CardHeading,
  CardPosition,
  CardRisk,
  CardWaiting,
} from './card/heading-parts.tsx';
export { Seal } from './card/seal.tsx';
export { CardSettled } from './card/settled/settled-part.tsx';
export { ToolCard, type ToolCardProps } from './card/tool-card.tsx';
export {
  type ChatFromUrlOptions,
  type UrlChatLoading,
  useChatFromUrl,
} from './chat/load/use-chat-from-url.ts';
export { type ChatLoading, type StoredChatOptions, useStoredChat } from './chat/load/use-stored-chat.ts';
export { useApprovalChat } from './chat/use-approval-chat.ts';
export { ConnectionNotice } from './connection/connection-notice.tsx';
export {
  type ServerConnection,
  useReconnected,
  useServerConnection,
} from './connection/server-connection.ts';
export { ApprovalFeedProvider, useApprovalFeed } from './inbox/approval-feed.tsx';
export { ApprovalInbox, type ApprovalInboxProps } from './inbox/approval-inbox.tsx';
export { InboxDetail } from './inbox/detail/inbox-detail.tsx';
export { type InboxView, useInbox } from './inbox/inbox-context.ts';
export { InboxFilters } from './inbox/inbox-filters.tsx';
export { InboxOthers } from './inbox/inbox-others.tsx';
export { InboxRecent } from './inbox/inbox-recent.tsx';
export { InboxStatus } from './inbox/inbox-status.tsx';
export { InboxBatch } from './inbox/list/inbox-batch.tsx';
export { InboxItem } from './inbox/list/inbox-item.tsx';
export { InboxList } from './inbox/list/inbox-list.tsx';
export { InboxRow } from './inbox/list/inbox-row.tsx';
export { PlainRequests } from './inbox/plain-requests.tsx';
export { SettledInbox, type SettledInboxProps } from './inbox/settled/settled-inbox.tsx';
export {
  type SettledQuestionsOptions,
  type SettledQuestionsState,
  useSettledQuestions,
} from './inbox/settled/use-settled-questions.ts';
export { useApprovalInbox } from './inbox/use-approval-inbox.ts';
export { ApprovalKeys, ApprovalKeysButton } from './keys/approval-keys.tsx';
export { PersonProvider } from './person/person.tsx';
export type { CardPlugin, PartPlace } from './plugins/card-plugin.ts';
export { CardPluginsProvider } from './plugins/card-plugins.tsx';
export { CardPlugins } from './plugins/plugin-parts.tsx';
export { QuestionSheet, type QuestionSheetProps } from './sheet/question-sheet.tsx';
export { type QuestionSheetState, useQuestionSheet } from './sheet/use-question-sheet.ts';
export { type ApprovalNotifications, useApprovalNotifications } from './tab/use-approval-notifications.ts';
export { useTabMark } from './tab/use-tab-mark.ts';
export { type TimelineView, useTimeline } from './timeline/timeline-context.ts';
export { TimelineDetails } from './timeline/timeline-details.tsx';
export { type SpanPlace, TimelineRow } from './timeline/timeline-row.tsx';
export { TimelineSummaryRow } from './timeline/timeline-summary.tsx';
export { TimelineTurns } from './timeline/timeline-turns.tsx';
export { TimelineExport, ToolTimeline, type ToolTimelineProps } from './timeline/tool-timeline.tsx';
export { type ToolTimelineState, useToolTimeline } from './timeline/use-tool-timeline.ts';
export type { CardWords } from './words/card-words.ts';
export { defaultCardWords } from './words/card-words.ts';
export type { ConnectionWords } from './words/connection-words.ts';
export { englishWords, type Words } from './words/english-words.ts';
export { defaultInboxWords, type InboxWords } from './words/inbox-words.ts';
export { defaultKeyWords, type KeyWords } from './words/key-words.ts';
export { defaultSettledWords, type SettledWords } from './words/settled-words.ts';
export { defaultSheetWords, type SheetWords } from './words/sheet-words.ts';
export { defaultTimelineWords, type TimelineWords } from './words/timeline-words.ts';
export { type WordsGiven, WordsProvider } from './words/words.tsx';
