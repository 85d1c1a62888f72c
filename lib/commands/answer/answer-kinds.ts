import { type AnswerRequest, CountersignError, type Question } from '../../protocol/index.ts';
import { type Edit, parseEdit } from './edit/edit.ts';
import { type Content, parseContent } from './form/content.ts';
import { type FilledIn, parseFilledIn } from './form/value.ts';
import type { Denial, PlainApproval } from './given-answer.ts';
import { parseDenial } from './kinds/denial.ts';
import { parsePlainApproval } from './kinds/plain-approval.ts';
import { type ChosenOption, chooseOption, parseChosenOption } from './option/chosen-option.ts';

export type Approval = PlainApproval | Edit | ChosenOption | FilledIn | Content;

/** An answer of a known kind. Combinations that no kind takes have no type. */
export type GivenAnswer = Denial | Approval;

/** Parses an answer by the first kind that takes it. @throws CountersignError `invalid-request` if none does @source H10 */
export function parseAnswer(question: Question, request: AnswerRequest): GivenAnswer {
  const { decided, refusal } = chooseOption(question, request);
  if (!decided) throw new CountersignError('invalid-request', refusal, { approvalId: question.id });
  const answer =
    parseDenial(decided) ??
    parseContent(decided, question) ??
    parseFilledIn(decided, question) ??
    parseChosenOption(decided, question) ??
    parseEdit(decided) ??
    parsePlainApproval(decided);
  const taken = answer.approved ? (['input', 'value'] as const) : (['value', 'plugins'] as const);
  const unused = taken.find((field) => decided[field] !== undefined && answer[field] === undefined);
  if (unused === undefined) return answer;
  throw new CountersignError(
    'invalid-request',
    `The answer to question ${question.id} (${answer.type}) takes no \`${unused}\`. Nothing was recorded.`,
    { approvalId: question.id, toolCallId: question.toolCallId },
  );
}
