export { CountersignError, type ErrorCode } from '../vocabulary/errors.ts';
export type {
  Answer,
  AnswerRequest,
  ApprovalId,
  ChatHead,
  ChatId,
  Clock,
  FlowEvent,
  FlowStore,
  GrantId,
  Logger,
  MessageId,
  OutputRequest,
  Page,
  Pause,
  Principal,
  Question,
  QuestionState,
  Release,
  RememberRequest,
  Risk,
  RunId,
  Session,
  SessionId,
  SessionStore,
  ToolCallId,
  ToolKind,
} from '../vocabulary/index.ts';
export {
  parseApprovalId,
  parseChatId,
  parseGrantId,
  parseMessageId,
  parseSessionId,
} from '../vocabulary/index.ts';
export type { LogFault, PlacedEntry } from './audit/audit-entries.ts';
export type { Approver, AuditEntry } from './audit/audit-entry.ts';
export type { AuditKey, AuditKeyRing } from './audit/audit-keys.ts';
export { type AuditFault, type SealedEntry, verifyAudit } from './audit/verify-audit.ts';
export { type StoreFault, verifyAuditStore } from './audit/verify-store.ts';
export { createApprovalFlow } from './create-approval-flow.ts';
export { notTheAsker } from './not-the-asker.ts';
export { timelineOf } from './projections/timeline.ts';
export type {
  SpanKind,
  SpanState,
  Timeline,
  TimelineSpan,
  TimelineSummary,
  TimelineTurn,
} from './projections/timeline-span.ts';
export { uiMessageChunks } from './projections/ui-chunks.ts';
export type { AuditSection } from './record/export-record.ts';
export type { FlowLogEntry } from './record/flow-log-facts.ts';
export type { ErasedChat, KeptAuditRecord } from './record/kept-record.ts';
export type {
  ApprovalFlow,
  ApproverRule,
  AuditRecord,
  CallContext,
  ChatView,
  FlowSettings,
  FlowStream,
  LookupResult,
  NewMessage,
  OutcomeRequest,
  QuestionDetails,
  QuestionRights,
  QuestionView,
  Remembered,
  ResolvedOutcome,
  RespondRequest,
  RuledQuestion,
  StepUp,
  StreamView,
  ToolDetails,
  ToolListing,
} from './types.ts';
