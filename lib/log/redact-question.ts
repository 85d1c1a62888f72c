import { type EventOf, type JsonValue, present, redact } from '../protocol/index.ts';
import { redactParsed } from './redaction.ts';
import { shownOptions } from './shown-options.ts';

/** The arguments of a call, and what its tool keeps secret. */
type Requested = Pick<EventOf<'tool-requested'>, 'input' | 'secrets'>;

export function redactAsked<Asked extends Pick<EventOf<'approval-requested'>, 'runsAs' | 'options'>>(
  asked: Asked,
  requested: Requested,
): Asked {
  const { runsAs, options } = asked;
  return present({
    ...asked,
    runsAs: redactRunsAs(runsAs, requested.input, requested),
    options: options && shownOptions(options, requested),
  });
}

export function redactAnswered<
  Answered extends Pick<EventOf<'approval-answered'>, 'input' | 'runsAs' | 'value'>,
>(answered: Answered, { secrets }: Pick<Requested, 'secrets'>): Answered {
  const { input, runsAs, value } = answered;
  return present({
    ...answered,
    input: input === undefined ? undefined : redact(input, secrets?.input),
    runsAs: redactRunsAs(runsAs, input ?? null, { secrets }),
    value: value === undefined ? undefined : redact(value, secrets?.output),
  });
}

function redactRunsAs(
  parsed: JsonValue | undefined,
  input: JsonValue,
  { secrets }: Pick<Requested, 'secrets'>,
): JsonValue | undefined {
  return parsed === undefined ? undefined : (redactParsed(parsed, input, secrets?.input) as JsonValue);
}
