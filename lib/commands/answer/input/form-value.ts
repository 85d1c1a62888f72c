import { asSchema, safeValidateTypes } from '@ai-sdk/provider-utils';
import { redactParsed } from '../../../log/redaction.ts';
import type { Call } from '../../../log/turn/turn.ts';
import {
  type AnswerRequest,
  CountersignError,
  copyJson,
  type EventBody,
  type EventOf,
  type JsonValue,
  toJson,
} from '../../../protocol/index.ts';
import type { Engine } from '../../../run/engine.ts';
import { withPatterns } from '../../../run/patterns/checked-schema.ts';
import { modelOutputOf, summarizeOutput, toolNamed } from '../../../settings/tools/tool-details.ts';
import { misfitsOf } from './misfits.ts';

/** In characters of JSON. A person does not type more. */
const longestValue = 65_536;

/** What a person filled in: as it was sent, and as the schema parses it. */
export type FormValue = { readonly value: JsonValue; readonly parsed: unknown };

/**
 * The value of an approval of a question that the model asks with `askPerson`.
 *
 * @throws CountersignError `invalid-request` with the fields that do not fit
 * @source ADR 0050
 */
export async function formValue(
  { settings }: Engine,
  { requested }: Call,
  { approvalId, value: given, input, remember }: AnswerRequest,
): Promise<FormValue> {
  const { toolName, toolCallId, secrets } = requested;
  const refused = (why: string, fields: object = {}) =>
    new CountersignError('invalid-request', `The answer to question ${approvalId} ${why}.`, {
      ...{ approvalId, toolCallId },
      ...fields,
    });
  if (given === undefined) throw refused('needs a `value`: what the person filled in');
  if (input !== undefined)
    throw refused('has `input`. The arguments of a question to a person cannot be edited');
  if (remember) throw refused('cannot be remembered');
  const value = toJson(given);
  if (JSON.stringify(value).length > longestValue)
    throw refused(`has a value of more than ${longestValue} characters`);
  const schema = withPatterns(asSchema(toolNamed(settings, toolName)?.outputSchema), { unknown: 'passes' });
  const checked = await safeValidateTypes({ value: copyJson(value), schema });
  if (checked.success) return { value, parsed: checked.value };
  const misfits = misfitsOf(checked.error, { hasSecrets: secrets?.output !== undefined });
  throw refused(
    `has a value that does not fit the schema of ${toolName}`,
    misfits.length > 0 ? { misfits } : {},
  );
}

/** What such an approval records: the value is the result of the call, so it starts and ends immediately. */
export async function valueEvents(
  { settings }: Engine,
  { requested }: Call,
  answered: Omit<EventOf<'approval-answered'>, 'seq' | 'at' | 'runId'>,
  { value, parsed }: FormValue,
): Promise<EventBody[]> {
  const { toolCallId, toolName, input, secrets } = requested;
  const output = toJson(parsed);
  const shown = redactParsed(input, input, secrets?.input);
  const modelOutput = await modelOutputOf(
    toolNamed(settings, toolName),
    { toolCallId, input },
    parsed,
    output,
  );
  const end = { output, modelOutput, ...summarizeOutput(settings, toolName, output, shown) };
  return [
    { ...answered, value },
    { type: 'tool-started', toolCallId, input },
    { type: 'tool-completed', toolCallId, ...end },
  ];
}
