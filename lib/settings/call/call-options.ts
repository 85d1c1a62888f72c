import { asSchema, safeValidateTypes } from '@ai-sdk/provider-utils';
import { CountersignError, copyJson, type JsonValue } from '../../protocol/index.ts';
import { writtenJson } from '../../protocol/safe-json.ts';
import type { FlowSettings } from '../flow-settings.ts';

/** The largest call options that are recorded, in characters of JSON. The log contains them once per turn. */
const largest = 16_384;

type Parsing =
  | { readonly fits: true; readonly options: unknown }
  | { readonly fits: false; readonly error: Error };

/** Call options as they are recorded: a JSON copy that fits. @throws CountersignError `invalid-request` @source ADR 0030 */
export async function recordedCallOptions(
  settings: FlowSettings,
  given: unknown,
): Promise<JsonValue | undefined> {
  const { callOptionsSchema, prepareCall } = settings;
  if (given === undefined && !callOptionsSchema) return undefined;
  if (!callOptionsSchema && !prepareCall) {
    throw refuse('This flow takes no call options: it has neither `callOptionsSchema` nor `prepareCall`.');
  }
  const recorded = given === undefined ? undefined : writtenJson(given, 'The call options');
  const { length } = JSON.stringify(recorded ?? null);
  if (length > largest)
    throw refuse(`The call options have ${length} characters of JSON; the limit is ${largest}.`);
  const parsing = await parse(settings, recorded);
  if (parsing.fits) return recorded;
  throw refuse(
    given === undefined
      ? 'This flow needs call options, and the request has none.'
      : 'The call options of this request do not fit `callOptionsSchema` of the flow.',
    parsing.error,
  );
}

/**
 * Call options for `prepareCall`, parsed each time, so defaults and transforms apply once.
 *
 * @throws CountersignError `internal` if they no longer fit
 * @source ADR 0030
 */
export async function callOptionsFrom(
  settings: FlowSettings,
  recorded: JsonValue | undefined,
): Promise<unknown> {
  const parsing = await parse(settings, recorded);
  if (parsing.fits) return parsing.options;
  if (recorded === undefined) return undefined;
  const message = 'The recorded call options of this turn no longer fit `callOptionsSchema`.';
  throw new CountersignError('internal', message, {}, { cause: parsing.error });
}

async function parse({ callOptionsSchema }: FlowSettings, recorded: JsonValue | undefined): Promise<Parsing> {
  const value = copyJson(recorded);
  if (!callOptionsSchema) return { fits: true, options: value };
  const checked = await safeValidateTypes({ value, schema: asSchema(callOptionsSchema) });
  return checked.success ? { fits: true, options: checked.value } : { fits: false, error: checked.error };
}

function refuse(message: string, cause?: Error): CountersignError {
  return new CountersignError('invalid-request', message, {}, cause && { cause });
}
