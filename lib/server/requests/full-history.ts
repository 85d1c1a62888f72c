import {
  type AnswerRequest,
  CountersignError,
  isRecord,
  type OutputRequest,
  parseApprovalId,
  parseToolCallId,
} from '../../protocol/index.ts';
import { isAnswered, isInState, isPart, isStepMark, isToolPart, type Part } from '../../protocol/parts.ts';
import { parseDecision } from './answers.ts';
import { assertSafeJson, dangerOf } from './safe-json.ts';

/** What the full form says through its history: the message at its end, and what the person did in the one before. */
export type HistoryNews = {
  /** The last message, when the user wrote it. Not parsed yet. */
  readonly message?: unknown;
  readonly answers: AnswerRequest[];
  readonly outputs: OutputRequest[];
};

/**
 * Reads what is new in a whole history. Only its end is looked at, however long it is; a message in the middle may
 * say anything and is never read.
 *
 * @throws CountersignError `invalid-request` when something that is taken is malformed
 * @source H1, T12
 */
export function newsOfHistory(messages: readonly unknown[]): HistoryNews {
  const last = messages.at(-1);
  const message = isRecord(last) && last.role === 'user' ? last : undefined;
  const parts = partsOf(lastWithRole(messages, 'assistant'));
  const newestStep = parts.findLastIndex(isStepMark);
  return {
    ...(message && { message }),
    answers: parts.flatMap((part, index) => answerOf(part, index > newestStep) ?? []),
    outputs: parts.flatMap((part) => outputOf(part) ?? []),
  };
}

/** The last message that the user wrote: what a regenerated response answers. @source H7 */
export function lastUserMessage(messages: readonly unknown[]): unknown {
  return lastWithRole(messages, 'user');
}

/** Whether an id is that of an assistant message in this history. */
export function isAssistantMessage(messages: readonly unknown[], id: string): boolean {
  const named = messages.findLast((message) => isRecord(message) && message.id === id);
  return isRecord(named) && named.role === 'assistant';
}

/**
 * The answer that a part holds. A client tool's outcome takes the place of its `approval-responded`, which then
 * shows only in `approval`; such a part can be news in the newest step alone, since nothing follows a question.
 */
function answerOf(part: Part, inNewestStep: boolean): AnswerRequest | undefined {
  const { approval } = part;
  if (!isAnswered(part) && !(inNewestStep && isOutcomeOfApproved(part))) return undefined;
  if (!isRecord(approval) || typeof approval.approved !== 'boolean') {
    throw new CountersignError('invalid-request', 'An answered tool part must say `approval.approved`.');
  }
  if (part.input !== undefined) assertSafeJson(part.input, 'The shown input');
  return {
    approvalId: parseApprovalId(approval.id),
    ...parseDecision({ approved: approval.approved, reason: approval.reason }),
    ...(part.input !== undefined && { shownInput: part.input }),
  };
}

function isOutcomeOfApproved(part: Part): boolean {
  const { approval } = part;
  return isOutcome(part) && isRecord(approval) && approval.approved === true && approval.isAutomatic !== true;
}

/**
 * What the client says a tool gave. Whether the tool was the client's to execute, the flow knows; most of these are
 * the server's own outcomes, so a strange one must not stop the request.
 */
function outputOf(part: Part): OutputRequest | undefined {
  if (!isOutcome(part)) return undefined;
  const toolCallId = parseToolCallId(part.toolCallId);
  const { output, errorText } = part as { output?: unknown; errorText?: unknown };
  if (part.state === 'output-error') {
    return { toolCallId, errorText: typeof errorText === 'string' ? errorText : 'The tool failed.' };
  }
  const danger = dangerOf(output);
  if (danger) return { toolCallId, errorText: `The output was not accepted: it ${danger}.` };
  return { toolCallId, output: output === undefined ? null : output };
}

function isOutcome(part: Part): boolean {
  if (!isToolPart(part) || part.providerExecuted === true) return false;
  return (
    isInState(part, 'output-error') || (isInState(part, 'output-available') && part.preliminary !== true)
  );
}

function lastWithRole(messages: readonly unknown[], role: string): unknown {
  return messages.findLast((message) => isRecord(message) && message.role === role);
}

function partsOf(message: unknown): readonly Part[] {
  return isRecord(message) && Array.isArray(message.parts) ? message.parts.filter(isPart) : [];
}
