import type { QuestionView } from '../flow/types.ts';
import type { Answer, Person } from '../vocabulary/index.ts';
import { isoTime } from './errors.ts';

/** A question as it travels. Times are ISO 8601 in UTC. @source contract S */
export type QuestionJson = Omit<
  QuestionView,
  'ownerId' | 'executor' | 'requestedAt' | 'deadline' | 'answer' | 'askedBy'
> & {
  readonly askedBy: Person;
  readonly requestedAt: string;
  readonly deadline?: string;
  readonly answer?: AnswerJson;
};

/** @see QuestionJson */
export type AnswerJson = Omit<Answer, 'at'> & { readonly at: string };

/** One entry of a question's history: when it came into a state, and by whom. */
export type QuestionStep = {
  readonly state: QuestionView['state'];
  readonly at?: string;
  readonly by?: Person;
  readonly via?: string;
};

/** Turns a question into its wire form, field by field: what is not named here does not travel. @source contract S */
export function questionJson(question: QuestionView): QuestionJson {
  const { id, chatId, toolCallId, toolName, input, description, askedBy, state } = question;
  const { title, risk, deadline, position, answer, mayAnswer, mayEdit, mayRemember } = question;
  return {
    id,
    chatId,
    toolCallId,
    toolName,
    ...(title !== undefined && { title }),
    input,
    description,
    ...(risk && { risk }),
    askedBy,
    requestedAt: isoTime(question.requestedAt),
    ...(deadline !== undefined && { deadline: isoTime(deadline) }),
    ...(position && { position }),
    state,
    ...(answer && { answer: answerJson(answer) }),
    mayAnswer,
    mayEdit,
    mayRemember,
  };
}

/** The states a question went through, oldest first. A withdrawal keeps no time of its own. @source contract H9 */
export function questionHistory(question: QuestionView): QuestionStep[] {
  const asked: QuestionStep = { state: 'open', at: isoTime(question.requestedAt), by: question.askedBy };
  if (question.state === 'open') return [asked];
  if (!question.answer) return [asked, { state: question.state }];
  const { at, by, via } = question.answer;
  return [asked, { state: question.state, at: isoTime(at), by, via }];
}

function answerJson({ approved, reason, input, by, at, via }: Answer): AnswerJson {
  return {
    approved,
    ...(reason !== undefined && { reason }),
    ...(input !== undefined && { input }),
    by,
    at: isoTime(at),
    via,
  };
}
