import {
  type AnswerRequest,
  type ApprovalId,
  CountersignError,
  isRecord,
  type OutputRequest,
  parseApprovalId,
  parseToolCallId,
  type RememberRequest,
} from '../../protocol/index.ts';
import { assertSafeJson } from './safe-json.ts';

/** The longest reason that reaches the model, in characters. @source ADR 0002.3 */
const maxReasonLength = 2_000;

/** The maximum number of answers, and of outputs, in one slim request. */
const maxItems = 100;

/** A person's decision without the id of its question: the request body of H10. */
export type Decision = Omit<AnswerRequest, 'approvalId' | 'shownInput'>;

/**
 * Parses one decision: `approved`, `reason`, `input` and `remember`. Other fields are ignored.
 *
 * @throws CountersignError `invalid-request`
 * @source H10
 */
export function parseDecision(value: unknown): Decision {
  if (!isRecord(value) || typeof value.approved !== 'boolean') {
    throw refuse('An answer must contain `approved`: true or false.');
  }
  const { approved, reason, input, remember } = value;
  if (input !== undefined) assertSafeJson(input, 'The edited input');
  return {
    approved,
    ...reasonField(reason),
    ...(input !== undefined && { input }),
    ...rememberField(remember),
  };
}

function rememberField(value: unknown): { remember?: RememberRequest } {
  if (value === undefined || value === null) return {};
  const { scope, match } = isRecord(value) ? value : {};
  if (scope !== 'chat' && scope !== 'me') throw refuse('`remember.scope` must be chat or me.');
  if (match !== 'tool' && match !== 'exact-arguments') {
    throw refuse('`remember.match` must be tool or exact-arguments.');
  }
  return { remember: { scope, match } };
}

/** Parses the `answers` of a slim request. @throws CountersignError `invalid-request` @source H1 */
export function parseAnswers(value: unknown): AnswerRequest[] {
  return parseList(value, 'answers').map((item) => ({
    approvalId: approvalIdOf(item),
    ...parseDecision(item),
  }));
}

/** Parses the `outputs` of a slim request. @throws CountersignError `invalid-request` @source H1 */
export function parseOutputs(value: unknown): OutputRequest[] {
  return parseList(value, 'outputs').map((item) => {
    if (!isRecord(item)) throw refuse('Each of `outputs` must be an object.');
    const toolCallId = parseToolCallId(item.toolCallId);
    const { output, errorText } = item;
    if (typeof errorText === 'string') return { toolCallId, errorText };
    if (output === undefined) throw refuse('Each of `outputs` must have an `output` or an `errorText`.');
    assertSafeJson(output, 'The output');
    return { toolCallId, output };
  });
}

/**
 * Parses a reason. An omitted or empty reason counts as none.
 *
 * @param name the subject of the error message
 * @throws CountersignError `invalid-request`
 */
export function reasonField(reason: unknown, name = 'A reason'): { reason?: string } {
  if (reason === undefined || reason === null || reason === '') return {};
  if (typeof reason !== 'string') throw refuse(`${name} must be a string.`);
  if (reason.length > maxReasonLength) throw refuse(`${name} has at most ${maxReasonLength} characters.`);
  return { reason: reason.toWellFormed() };
}

function approvalIdOf(item: unknown): ApprovalId {
  return parseApprovalId(isRecord(item) ? item.approvalId : undefined);
}

function parseList(value: unknown, name: string): unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw refuse(`\`${name}\` must be a list.`);
  if (value.length > maxItems) throw refuse(`\`${name}\` has more than ${maxItems} entries.`);
  return value;
}

function refuse(message: string): CountersignError {
  return new CountersignError('invalid-request', message);
}
