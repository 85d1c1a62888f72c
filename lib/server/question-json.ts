import type { Answer, Person, Repeat } from '../protocol/index.ts';
import type { QuestionView } from '../rights/question-rights.ts';
import { isoTime } from './errors.ts';

/** A question as it travels. Times are ISO 8601 in UTC. @source contract S */
export type QuestionJson = Omit<
  QuestionView,
  'ownerId' | 'executor' | 'requestedAt' | 'deadline' | 'answer' | 'askedBy' | 'repeatOf'
> & {
  readonly askedBy: Person;
  readonly requestedAt: string;
  readonly deadline?: string;
  readonly repeatOf?: RepeatJson;
  readonly answer?: AnswerJson;
};

/** An earlier call with the same tool and arguments; where it was, for whoever may see that chat. @source contract H13 */
export type RepeatJson = Omit<Repeat, 'at' | 'ownerId'> & { readonly at: string };

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
  const { title, risk, deadline, position, answer, mayAnswer, mayEdit, mayRemember, stepUp } = question;
  const { runsAs, digest, replaces, outdated, repeatOf, paused } = question;
  return {
    id,
    chatId,
    toolCallId,
    toolName,
    ...(title !== undefined && { title }),
    input,
    ...(runsAs !== undefined && { runsAs }),
    description,
    ...(risk && { risk }),
    askedBy,
    requestedAt: isoTime(question.requestedAt),
    ...(deadline !== undefined && { deadline: isoTime(deadline) }),
    ...(position && { position }),
    ...(digest !== undefined && { digest }),
    ...(replaces !== undefined && { replaces }),
    ...(outdated && { outdated }),
    ...(repeatOf && { repeatOf: repeatJson(repeatOf) }),
    state,
    ...(answer && { answer: answerJson(answer) }),
    mayAnswer,
    mayEdit,
    mayRemember,
    ...(stepUp && { stepUp }),
    ...(paused && { paused }),
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

function repeatJson({ at, outcome, chatId, toolCallId }: Repeat): RepeatJson {
  return {
    at: isoTime(at),
    outcome,
    ...(chatId !== undefined && { chatId }),
    ...(toolCallId !== undefined && { toolCallId }),
  };
}

function answerJson({ approved, reason, input, runsAs, by, at, via }: Answer): AnswerJson {
  return {
    approved,
    ...(reason !== undefined && { reason }),
    ...(input !== undefined && { input }),
    ...(runsAs !== undefined && { runsAs }),
    by,
    at: isoTime(at),
    via,
  };
}
