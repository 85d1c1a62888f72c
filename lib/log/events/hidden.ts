import { type JsonValue, redact, type Secrets } from '../../protocol/index.ts';
import { createValueStrike, redactParsed } from '../redaction.ts';

/** The secret paths of a call, its arguments, and `strike`, which removes the secrets of these, and of those it ran with. */
export type Hidden = {
  readonly secrets: Secrets;
  readonly input: JsonValue;
  readonly strike: (value: unknown) => unknown;
};

/** @param inputs the arguments as they were requested, and those that the call runs with */
export function hiding(secrets: Secrets, ...inputs: readonly [JsonValue, JsonValue?]): Hidden {
  const calls = inputs.flatMap((input) => (input === undefined ? [] : [{ input, paths: secrets.input }]));
  return { secrets, input: inputs[0], strike: createValueStrike(calls) };
}

export function redactInputs<Event extends { readonly input: JsonValue; readonly runsAs?: JsonValue }>(
  event: Event,
  { input: paths }: Secrets,
): Event {
  const { input, runsAs } = event;
  const shown = { ...event, input: redact(input, paths) };
  return runsAs === undefined ? shown : { ...shown, runsAs: redactParsed(runsAs, input, paths) as JsonValue };
}
