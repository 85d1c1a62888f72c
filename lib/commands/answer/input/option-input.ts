import type { Call } from '../../../log/turn/turn.ts';
import { isSameJson } from '../../../protocol/index.ts';
import { parseInput } from '../../../run/call/input/parse-input.ts';
import type { ReplacementReason } from '../../../run/call/replace-call.ts';
import type { Engine } from '../../../run/engine.ts';
import type { EditedInput } from './edited-input.ts';

/** The arguments of an option, or why the question must be asked again. */
export type OptionInput =
  | { readonly input: EditedInput; readonly why?: undefined }
  | { readonly input?: undefined; readonly why: ReplacementReason };

/**
 * The arguments that an option approves: those that were recorded and shown with the question, if the tool's schema still parses
 * them to what was shown.
 *
 * @param id of the option; `undefined` for an answer without one
 * @returns `undefined` for an option that approves the arguments as proposed
 * @source ADR 0020, ADR 0050
 */
export async function optionInput(
  engine: Engine,
  { asked, requested }: Call,
  id: string | undefined,
): Promise<OptionInput | undefined> {
  const option = id === undefined ? undefined : asked?.options?.find((each) => each.id === id);
  if (option?.input === undefined) return undefined;
  const parsed = await parseInput(engine, requested, option.input);
  const isAsShown = parsed.fits && isSameJson(parsed.json, option.runsAs ?? option.input);
  return isAsShown ? { input: { input: option.input, parsed } } : { why: 'input-changed' };
}
