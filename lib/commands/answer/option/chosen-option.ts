import { isSameJson, type Question } from '../../../protocol/index.ts';
import { parseInput } from '../../../run/call/input/parse-input.ts';
import type { Approves, DecidedRequest, Prepared, Preparing, Without } from '../given-answer.ts';
import type { AskAgain } from '../outcome.ts';
import { ruledWith } from '../ruled-with.ts';

/** An approval of an option with its own arguments. @source ADR 0050 */
export type ChosenOption = Approves &
  Without<'input' | 'value'> & { readonly type: 'option'; readonly option: string };

/** Parses an approval of an option with its own arguments. Every other option is a plain approval. */
export function parseChosenOption(
  request: DecidedRequest,
  { options }: Pick<Question, 'options'>,
): ChosenOption | undefined {
  const { id, input } = options?.find((each) => each.id === request.option) ?? {};
  if (id === undefined || input === undefined) return undefined;
  const none = { input: undefined, value: undefined };
  const prepare = (asked: Preparing) => prepareOption(asked, id);
  return { ...request, ...none, type: 'option', approved: true, option: id, prepare };
}

/** The arguments that were shown with the question, if the schema still parses them to that. @source ADR 0020, ADR 0050 */
async function prepareOption(asked: Preparing, id: string): Promise<Prepared | AskAgain> {
  const { engine, call } = asked;
  // The question that is shown has its options redacted.
  const option = call.asked?.options?.find((each) => each.id === id);
  if (option?.input === undefined) return { type: 'ask-again', why: 'input-changed' };
  const { input } = option;
  const parsed = await parseInput(engine, call.requested, input);
  const isAsShown = parsed.fits && isSameJson(parsed.json, option.runsAs ?? input);
  if (!isAsShown) return { type: 'ask-again', why: 'input-changed' };
  const written = { input, parsed };
  const { runsAs } = parsed;
  const recorded = { input, runsAs };
  // The author of the tool wrote these arguments, not the person.
  return { ruled: ruledWith(asked, written), written, parsed, recorded };
}
