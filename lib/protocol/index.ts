export type {
  Answer,
  AnswerRequest,
  AnswerRule,
  AtDeadline,
  CallProcess,
  EarlierCall,
  Executor,
  OutputRequest,
  Question,
  QuestionOption,
  QuestionState,
  RecordedAnswer,
  RecordedPreview,
  Repeat,
  Risk,
  SubjectHistory,
  WithdrawalReason,
} from './approval/approvals.ts';
export type { StandingApproval } from './approval/standing-approval.ts';
export type { Page } from './chat.ts';
export type { Clock } from './clock/clock.ts';
export type { Logger } from './errors/error-facts.ts';
export { type ErrorFacts, errorFacts, errorPlace } from './errors/error-facts.ts';
export { CountersignError, type ErrorCode, type ErrorFields, isBranded } from './errors/errors.ts';
export type { Gate, ModelOutput, StoredText, ToolKind } from './events/call-events.ts';
export type { DataEventBody, DataPart } from './events/data-events.ts';
export type { Source, Usage } from './events/step-events.ts';
export type { CompletionReason, Kept, Release, RunOptions, UserPart } from './events/turn-events.ts';
export {
  type ChatEvent,
  type ChatEventBody,
  type EventBody,
  type EventOf,
  type FlowEvent,
  isRunEnd,
  type RunEnd,
  type RunEvent,
} from './events.ts';
export {
  type FlowLogBody,
  type FlowLogEvent,
  type FlowLogState,
  flowLogId,
  type NotedHead,
  type Pause,
} from './flow-log.ts';
export { createChatId } from './ids/chat-id.ts';
export {
  type ApprovalId,
  type ChatId,
  createIds,
  type GrantId,
  type Ids,
  type MessageId,
  parseApprovalId,
  parseChatId,
  parseMessageId,
  parseSessionId,
  parseToolCallId,
  type RunId,
  type SessionId,
  type ToolCallId,
} from './ids/ids.ts';
export {
  canonicalJson,
  copyJson,
  isRecord,
  isSameJson,
  type JsonObject,
  type JsonValue,
  jsonText,
  parseJson,
  plainJson,
  toJson,
} from './json.ts';
export type { AnswerPlugins, QuestionPlugins, ToolPlugins } from './plugin-fields.ts';
export { present } from './present.ts';
export {
  isPrincipal,
  type Person,
  type Principal,
  personOf,
  type RecordedPrincipal,
  recordPrincipal,
} from './principal.ts';
export { createStrike, redact, redacted, type Secrets, strikeOut } from './secrets.ts';
export type { Session, SessionStore } from './sessions.ts';
export type { ChatStatus } from './wire/chat/chat-status.ts';
export type { Preview, PreviewPart } from './wire/preview.ts';
