import { asSchema, safeValidateTypes } from '@ai-sdk/provider-utils';
import { redactParsed } from '../../../log/redaction.ts';
import {
  type ApprovalId,
  CountersignError,
  copyJson,
  type JsonValue,
  type Question,
  toJson,
} from '../../../protocol/index.ts';
import { writtenJson } from '../../../protocol/safe-json.ts';
import { withPatterns } from '../../../run/patterns/checked-schema.ts';
import { modelOutputOf, summarizeOutput, toolNamed } from '../../../settings/tools/tool-details.ts';
import { fieldErrorsOf } from '../edit/field-errors.ts';
import type { Approves, DecidedRequest, Prepared, Preparing, Without } from '../given-answer.ts';

/** In characters of JSON. A person does not type more. */
const longestValue = 65_536;

/** An approval with what the person filled in, which is the result of the call. @source ADR 0050 */
export type FilledIn = Approves & Without<'input'> & { readonly type: 'value'; readonly value: unknown };

/** Parses an answer to `askPerson`. @throws CountersignError `invalid-request` without a value */
export function parseFilledIn(
  request: DecidedRequest,
  { needsValue }: Pick<Question, 'needsValue'>,
): FilledIn | undefined {
  if (!needsValue) return undefined;
  const { approvalId, value } = request;
  if (value === undefined) throw refused(approvalId, 'needs a `value`: what the person filled in');
  const filledIn = { type: 'value', approved: true, input: undefined } as const;
  return {
    ...request,
    ...filledIn,
    value,
    prepare: (asked) => prepare(asked, writtenJson(value, 'The value')),
  };
}

/** The value is the result of the call, so the call starts and ends immediately. */
async function prepare(asked: Preparing, value: JsonValue): Promise<Prepared> {
  const { engine, call, question } = asked;
  const { toolCallId, toolName, input, secrets } = call.requested;
  const tool = toolNamed(engine.settings, toolName);
  const parsed = await checkedValue(asked, value);
  const output = toJson(parsed);
  const shown = redactParsed(input, input, secrets?.input);
  const modelOutput = await modelOutputOf(tool, { toolCallId, input }, parsed, output);
  const end = { output, modelOutput, ...summarizeOutput(engine.settings, toolName, output, shown) };
  return {
    ruled: question,
    recorded: { value },
    ends: [
      { type: 'tool-started', toolCallId, input },
      { type: 'tool-completed', toolCallId, ...end },
    ],
  };
}

/** @throws CountersignError `invalid-request` with the fields that do not fit */
async function checkedValue({ engine, call, question }: Preparing, value: JsonValue): Promise<unknown> {
  const { toolName, secrets } = call.requested;
  if (JSON.stringify(value).length > longestValue)
    throw refused(question.id, `has a value of more than ${longestValue} characters`);
  const { outputSchema } = toolNamed(engine.settings, toolName) ?? {};
  const schema = withPatterns(asSchema(outputSchema), { unknown: 'passes' });
  const checked = await safeValidateTypes({ value: copyJson(value), schema });
  if (checked.success) return checked.value;
  const fieldErrors = fieldErrorsOf(checked.error, { hasSecrets: secrets?.output !== undefined });
  throw refused(question.id, `has a value that does not fit the schema of ${toolName}`, {
    toolCallId: question.toolCallId,
    fieldErrors: fieldErrors.length > 0 ? fieldErrors : undefined,
  });
}

function refused(approvalId: ApprovalId, why: string, fields: object = {}): CountersignError {
  return new CountersignError('invalid-request', `The answer to question ${approvalId} ${why}.`, {
    approvalId,
    ...fields,
  });
}
