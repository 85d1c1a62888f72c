export { CountersignError, type ErrorCode } from '../protocol/errors/errors.ts';
export {
  type ApprovalId,
  type ChatId,
  type Clock,
  type Logger,
  type MessageId,
  type Preview,
  type PreviewPart,
  type Principal,
  parseApprovalId,
  parseChatId,
  parseMessageId,
  type Question,
  type Release,
} from '../protocol/index.ts';
export { notTheAsker } from '../rights/not-the-asker.ts';
export type { AgentSettings } from '../settings/agents/agent-settings.ts';
export { subagent } from '../settings/agents/subagent.ts';
export type { CallContext } from '../settings/call/call-context.ts';
export type { DataWriter } from '../settings/call/data-writer.ts';
export type { ApproverRule, FlowSettings } from '../settings/flow-settings.ts';
export type { AnswerOption } from '../settings/forms/answer-option.ts';
export type { CallAnswer } from '../settings/forms/ask.ts';
export { askPerson } from '../settings/forms/ask-person.ts';
export { elicitations } from '../settings/forms/elicitations.ts';
export { largeResult } from '../settings/tools/large-result.ts';
export type { LookupResult, RiskRating, StepUp, ToolDetails } from '../settings/tools/tool-settings.ts';
export type { ApprovalFlow } from './approval-flow.ts';
export { createApprovalFlow } from './create-approval-flow.ts';
