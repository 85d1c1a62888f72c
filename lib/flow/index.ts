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
  Principal,
  Question,
  QuestionState,
  Release,
  RememberRequest,
  Risk,
  RunId,
  ToolCallId,
  ToolKind,
} from '../vocabulary/index.ts';
export { parseApprovalId, parseChatId, parseGrantId, parseMessageId } from '../vocabulary/index.ts';
export type { AuditEntry } from './audit/audit-entry.ts';
export { type AuditFault, type SealedEntry, verifyAudit } from './audit/verify-audit.ts';
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
export type {
  ApprovalFlow,
  ApproverRule,
  ChatView,
  FlowSettings,
  FlowStream,
  NewMessage,
  QuestionDetails,
  QuestionRights,
  QuestionView,
  Remembered,
  RespondRequest,
  RuledQuestion,
  StreamView,
  ToolDetails,
  ToolListing,
} from './types.ts';
