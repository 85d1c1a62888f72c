import { isPlainApproval } from '../../../protocol/approval/plain-approval.ts';
import { type AnswerRequest, isSameJson, type Question } from '../../../protocol/index.ts';
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

export type Choice =
  | { readonly decided: DecidedRequest; readonly refusal?: undefined }
  | { readonly decided?: undefined; readonly refusal: string };

/**
 * A plain approval chooses the first option that approves the proposed arguments. A plain denial is always one.
 *
 * @source ADR 0050
 */
export function chooseOption(
  { id, options }: Pick<Question, 'id' | 'options'>,
  answer: AnswerRequest,
): Choice {
  const { approved, option: chosen, input, reason } = answer;
  if (chosen === undefined) {
    if (approved === undefined) return refuse(id, 'has no `approved`');
    const decided = { ...answer, approved };
    if (!options || !approved) return { decided };
    const plain = options.find(isPlainApproval);
    if (!plain) return refuse(id, `names none of its options: ${options.map((each) => each.id).join(', ')}`);
    if (input !== undefined) return { decided };
    const given = reason ?? plain.reason;
    return { decided: { ...decided, option: plain.id, ...(given !== undefined && { reason: given }) } };
  }
  const option = options?.find((each) => each.id === chosen);
  if (!option) return refuse(id, 'names an option that the question does not have');
  const approves = option.then === 'approve';
  if (approved !== undefined && approved !== approves)
    return refuse(id, 'contradicts the option that it names');
  if (input !== undefined) return refuse(id, 'has `input` and names an option, which has its own arguments');
  const given = reason ?? option.reason;
  return { decided: { ...answer, approved: approves, ...(given !== undefined && { reason: given }) } };
}

function refuse(id: string, why: string): Choice {
  return { refusal: `The answer to question ${id} ${why}. Nothing was recorded.` };
}
