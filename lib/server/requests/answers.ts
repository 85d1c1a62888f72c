import { z } from 'zod';
import {
  type AnswerRequest,
  CountersignError,
  isRecord,
  type OutputRequest,
  parseApprovalId,
  parseToolCallId,
  present,
} from '../../protocol/index.ts';
import { assertSafeJson } from '../../protocol/safe-json.ts';
import { approvedError, type NewAnswerJson, newAnswerSchema } from '../../protocol/wire/new-answer.ts';
import { parseRequest, textOrNone } from './parse-request.ts';

/** The maximum number of answers, and of outputs, in one slim request. */
const maxItems = 100;

/** One of `answers` of a slim request. @source H1 */
export const answerRequestSchema = newAnswerSchema.extend({ approvalId: z.string() });

/** One of `outputs` of a slim request. @source H1 */
export const outputRequestSchema = z.object({
  toolCallId: z.string(),
  output: z.unknown().optional(),
  errorText: z.string().optional().catch(undefined),
});

/** Parses one answer. Other fields are ignored. @throws CountersignError `invalid-request` @source H10 */
export function parseAnswer(value: unknown): NewAnswerJson {
  const given = isRecord(value)
    ? {
        ...value,
        option: value.option ?? undefined,
        reason: textOrNone(value.reason),
        previewDigest: textOrNone(value.previewDigest),
        digest: textOrNone(value.digest),
        plugins: value.plugins ?? undefined,
      }
    : value;
  const parsed = parseRequest(newAnswerSchema, given);
  const { approved, option, reason, value: filledIn, input } = parsed;
  if (approved === undefined && option === undefined) throw refuse(approvedError);
  if (input !== undefined) assertSafeJson(input, 'The edited input');
  if (filledIn !== undefined) assertSafeJson(filledIn, 'The value');
  return present({ ...parsed, reason: reason?.toWellFormed() });
}

/** Parses edited arguments, if there are any. @throws CountersignError `invalid-request` @source H10 */
export function parseEditedInput(value: unknown): { readonly input?: unknown } {
  const { input } = isRecord(value) ? value : {};
  if (input === undefined) return {};
  assertSafeJson(input, 'The edited input');
  return { input };
}

/** Parses the `answers` of a slim request. @throws CountersignError `invalid-request` @source H1 */
export function parseAnswers(value: unknown): AnswerRequest[] {
  return parseList(value, 'answers').map((item) => {
    const approvalId = parseApprovalId(isRecord(item) ? item.approvalId : undefined);
    return { approvalId, ...parseAnswer(item) };
  });
}

/** Parses the `outputs` of a slim request. @throws CountersignError `invalid-request` @source H1 */
export function parseOutputs(value: unknown): OutputRequest[] {
  return parseList(value, 'outputs').map((item) => {
    if (!isRecord(item)) throw refuse('Each of `outputs` must be an object.');
    const toolCallId = parseToolCallId(item.toolCallId);
    const { output, errorText } = parseRequest(outputRequestSchema, item);
    if (errorText !== undefined) return { toolCallId, errorText };
    if (output === undefined) throw refuse('Each of `outputs` must have an `output` or an `errorText`.');
    assertSafeJson(output, 'The output');
    return { toolCallId, output };
  });
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
