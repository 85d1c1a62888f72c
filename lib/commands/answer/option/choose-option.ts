import { isPlainApproval } from '../../../protocol/approval/plain-approval.ts';
import type { AnswerRequest, Question } from '../../../protocol/index.ts';
import type { DecidedRequest } from '../given-answer.ts';

export type Choice =
  | { readonly decided: DecidedRequest; readonly refusal?: undefined }
  | { readonly decided?: undefined; readonly refusal: string };

/**
 * What an answer that may name an option says. A plain approval chooses the first option that approves the arguments as
 * proposed. A plain denial is always one.
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
