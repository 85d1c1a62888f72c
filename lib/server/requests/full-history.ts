import { z } from 'zod';
import {
  type AnswerRequest,
  CountersignError,
  isRecord,
  type OutputRequest,
  parseApprovalId,
  parseToolCallId,
} from '../../protocol/index.ts';
import { isAnswered, isInState, isPart, isStepMark, isToolPart, type Part } from '../../protocol/parts.ts';
import { assertSafeJson, dangerOf } from '../../protocol/safe-json.ts';
import { parseAnswer } from './answers.ts';

/** An assistant message of the page, which is read only for what the person did in it. @source H1 */
export const assistantMessageSchema = z.looseObject({
  role: z.literal('assistant'),
  parts: z.array(z.looseObject({ type: z.string() })),
});

/**
 * What the full form's history contains: the last message, and the person's answers and outputs in the message
 * before it.
 */
export type NewInHistory = {
  /** The last message, if it is a user message. Not parsed yet. */
  readonly message?: unknown;
  readonly answers: AnswerRequest[];
  readonly outputs: OutputRequest[];
};

/**
 * The new parts of a full history, of which only the end is read.
 *
 * @throws CountersignError `invalid-request`
 * @source H1, T12
 */
export function newInHistory(messages: readonly unknown[]): NewInHistory {
  const last = messages.at(-1);
  const message = isRecord(last) && last.role === 'user' ? last : undefined;
  const parts = partsOf(lastWithRole(messages, 'assistant'));
  const newestStep = parts.findLastIndex(isStepMark);
  return {
    message,
    answers: parts.flatMap((part, index) => answerOf(part, index > newestStep) ?? []),
    outputs: parts.flatMap((part) => outputOf(part) ?? []),
  };
}

export function lastUserMessage(messages: readonly unknown[]): unknown {
  return lastWithRole(messages, 'user');
}

export function hasRole(message: unknown, role: string): boolean {
  return isRecord(message) && message.role === role;
}

export function isAssistantMessage(messages: readonly unknown[], id: string): boolean {
  const named = messages.findLast((message) => isRecord(message) && message.id === id);
  return hasRole(named, 'assistant');
}

/**
 * The answer in a part. A client tool's outcome replaces its `approval-responded` state, so the answer is only
 * in `approval`. Such a part can be new only in the last step, because no step follows an open question.
 */
function answerOf(part: Part, inNewestStep: boolean): AnswerRequest | undefined {
  const { approval } = part;
  if (!isAnswered(part) && !(inNewestStep && isOutcomeOfApproved(part))) return undefined;
  if (!isRecord(approval) || typeof approval.approved !== 'boolean') {
    throw new CountersignError('invalid-request', 'An answered tool part must contain `approval.approved`.');
  }
  if (part.input !== undefined) assertSafeJson(part.input, 'The shown input');
  return {
    approvalId: parseApprovalId(approval.id),
    ...parseAnswer({ approved: approval.approved, reason: approval.reason }),
    shownInput: part.input,
  };
}

function isOutcomeOfApproved(part: Part): boolean {
  const { approval } = part;
  return isOutcome(part) && isRecord(approval) && approval.approved === true && approval.isAutomatic !== true;
}

/**
 * The output or error that the client reports for a call. The flow checks whether the tool is executed by the
 * client. Most of these are outcomes that the server itself sent, so an invalid one must not fail the request.
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
  return messages.findLast((message) => hasRole(message, role));
}

function partsOf(message: unknown): readonly Part[] {
  return isRecord(message) && Array.isArray(message.parts) ? message.parts.filter(isPart) : [];
}
