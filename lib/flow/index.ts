export type { AdvanceRequest } from '../commands/advance/approve-upcoming.ts';
export type { UpcomingCall, UpcomingRequest } from '../commands/advance/upcoming.ts';
export type { PreviewedCall, PreviewRequest } from '../commands/answer/preview-question.ts';
export type { NewMessage, RespondRequest } from '../commands/requests.ts';
export type { OutcomeRequest, ResolvedOutcome } from '../commands/resolve-outcome.ts';
export type { FlowLogEntry } from '../log/flow-log/flow-log-facts.ts';
export type { Approver, AuditEntry } from '../log/seal/audit-entry.ts';
export type { AuditKey, AuditKeyRing } from '../log/seal/audit-keys.ts';
export type { ChatHead, FlowStore, StoreClock, SubscriptionStore } from '../log/store/index.ts';
export { CountersignError, type ErrorCode } from '../protocol/errors/errors.ts';
export type {
  Answer,
  AnswerRequest,
  ApprovalId,
  ChatId,
  Clock,
  FlowEvent,
  GrantId,
  Logger,
  MessageId,
  OutputRequest,
  Page,
  Pause,
  Preview,
  PreviewPart,
  Principal,
  Question,
  QuestionOption,
  QuestionState,
  RecordedPreview,
  Release,
  Risk,
  RunId,
  Session,
  SessionId,
  SessionStore,
  ToolCallId,
  ToolKind,
} from '../protocol/index.ts';
export {
  parseApprovalId,
  parseChatId,
  parseGrantId,
  parseMessageId,
  parseSessionId,
} from '../protocol/index.ts';
export type * from '../protocol/plugin-fields.ts';
export type { FindGivers, Giver } from '../rights/givers.ts';
export { notTheAsker } from '../rights/not-the-asker.ts';
export type { QuestionDetails, QuestionRights, QuestionView } from '../rights/question-rights.ts';
export type { AgentSettings, SubagentTool } from '../settings/agents/agent-settings.ts';
export { subagent } from '../settings/agents/subagent.ts';
export type { CallContext, TurnFacts } from '../settings/call/call-context.ts';
export type { DataPartToWrite, DataWriter } from '../settings/call/data-writer.ts';
export type { ApproverRule, FlowSettings, RuledQuestion } from '../settings/flow-settings.ts';
export type { AnswerOption } from '../settings/forms/answer-option.ts';
export type { Ask, CallAnswer, CallQuestion } from '../settings/forms/ask.ts';
export { type AskPersonSettings, askPerson, type PersonQuestion } from '../settings/forms/ask-person.ts';
export {
  type ElicitationRequest,
  type ElicitationResult,
  type Elicitations,
  elicitations,
} from '../settings/forms/elicitations.ts';
export { type LargeResult, largeResult } from '../settings/tools/large-result.ts';
export type { LookupResult, RiskRating, StepUp, ToolDetails } from '../settings/tools/tool-settings.ts';
export type { LogFault, PlacedEntry } from '../views/audit/audit-entries.ts';
export type { AuditSection } from '../views/audit/export-record.ts';
export type { ErasedChat, KeptAuditRecord } from '../views/audit/kept-record.ts';
export { type AuditFault, type SealedEntry, verifyAudit } from '../views/audit/verify-audit.ts';
export { type StoreFault, verifyAuditStore } from '../views/audit/verify-store.ts';
export { uiMessageChunks } from '../views/chunks/ui-chunks.ts';
export type { FlowStream, StreamView } from '../views/flow-stream.ts';
export { timelineOf } from '../views/timeline/timeline.ts';
export type {
  SpanKind,
  SpanState,
  Timeline,
  TimelineSpan,
  TimelineSummary,
  TimelineTurn,
} from '../views/timeline/timeline-span.ts';
export type { ToolListing } from '../views/tool-listing.ts';
export type { ApprovalFlow } from './approval-flow.ts';
export { createApprovalFlow } from './create-approval-flow.ts';
export type { AuditRecord } from './methods/audit.ts';
export type { ChatView } from './methods/chats.ts';
export type {
  AuthorizedRequest,
  Counted,
  Endpoint,
  KeepOpen,
  MakeRoute,
  OpenRequest,
  Route,
} from './plugin/http.ts';
export type { OpenApiPart } from './plugin/open-api.ts';
export type { FlowPlugin, InstalledPlugin, Kernel, PluginMethods, PluginParts } from './plugin/plugin.ts';
export type { QuestionFilter } from './question-filter.ts';
