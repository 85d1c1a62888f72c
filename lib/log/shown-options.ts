import { type EventOf, type JsonValue, present, type QuestionOption } from '../protocol/index.ts';
import { redactParsed } from './redaction.ts';

/** Options without what their tool keeps secret, for people, and for digests that people get. @source ADR 0011, ADR 0050 */
export function shownOptions(
  options: readonly QuestionOption[],
  { input, secrets }: Pick<EventOf<'tool-requested'>, 'input' | 'secrets'>,
): QuestionOption[] {
  const shown = (value: JsonValue | undefined) =>
    value === undefined ? undefined : (redactParsed(value, input, secrets?.input) as JsonValue);
  return options.map((option) =>
    present({ ...option, input: shown(option.input), runsAs: shown(option.runsAs) }),
  );
}
