export type {
  Answer,
  AnswerRequest,
  OutputRequest,
  Position,
  Question,
  QuestionState,
  Risk,
  WithdrawalReason,
} from './approvals.ts';
export { type ErrorFacts, errorFacts } from './error-facts.ts';
export { CountersignError, type ErrorCode, type ErrorFields } from './errors.ts';
export {
  claimOf,
  type EventBody,
  type EventOf,
  type Executor,
  type FlowEvent,
  type Gate,
  isRunEnd,
  type ModelOutput,
  type Release,
  type RunEnd,
  type RunOptions,
  type Source,
  type ToolKind,
  type Usage,
  type UserPart,
} from './events.ts';
export type { Grant, GrantMatch, GrantScope, RememberRequest, UsedGrant } from './grants.ts';
export {
  type ApprovalId,
  type ChatId,
  createIds,
  type GrantId,
  type Ids,
  type MessageId,
  parseApprovalId,
  parseChatId,
  parseGrantId,
  parseMessageId,
  parseToolCallId,
  type RunId,
  type ToolCallId,
} from './ids.ts';
export { canonicalJson, isRecord, type JsonValue, toJson } from './json.ts';
export type {
  Append,
  AppendResult,
  ChatHead,
  ChatStatus,
  Clock,
  FlowStore,
  Lease,
  Logger,
  Page,
  QuestionChange,
  Wake,
} from './ports.ts';
export { type Person, type Principal, personOf } from './principal.ts';
export { redact, redacted, type Secrets, strikeOut } from './secrets.ts';
