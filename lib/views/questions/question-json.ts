import type { Answer, Question, Repeat, Votes } from '../../protocol/index.ts';
import type { PreviewJson } from '../../protocol/wire/preview.ts';
import type { AnswerJson, QuestionJson, RepeatJson, VotesJson } from '../../protocol/wire/question.ts';
import type { QuestionView } from '../../rights/question-rights.ts';
import { escalationJson } from './escalation-json.ts';
import { historyJson } from './history-json.ts';

/** Turns a question into its wire form. Fields that are not named here are not sent. @source S4 */
export function questionJson(question: QuestionView): QuestionJson {
  const { id, chatId, toolCallId, toolName, input, description, askedBy, state } = question;
  const { title, risk, deadline, position, answer, mayAnswer, mayEdit, mayRemember, stepUp } = question;
  const { riskReason, history, preview, runsAs, digest, replaces, outdated, repeatOf, earlier } = question;
  const { whoMayAnswer, options, needsInput, needsValue, paused, reasonOnDeny, votes } = question;
  const { editedBy, hasVoted, escalation, onBehalfOf } = question;
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
    ...(riskReason !== undefined && { riskReason }),
    ...(history && { history: historyJson(history) }),
    ...(preview && { preview: previewJson(preview) }),
    askedBy,
    requestedAt: isoTime(question.requestedAt),
    ...(deadline !== undefined && { deadline: isoTime(deadline) }),
    ...(escalation && { escalation: escalationJson(escalation) }),
    ...(position && { position }),
    ...(digest !== undefined && { digest }),
    ...(replaces !== undefined && { replaces }),
    ...(outdated && { outdated }),
    ...(repeatOf && { repeatOf: repeatJson(repeatOf) }),
    ...(earlier && { earlier }),
    ...(options && { options }),
    ...(needsInput && { needsInput }),
    ...(needsValue && { needsValue }),
    ...(votes && { votes: votesJson(votes) }),
    ...(editedBy && { editedBy }),
    state,
    ...(answer && { answer: answerJson(answer) }),
    mayAnswer,
    ...(onBehalfOf && { onBehalfOf }),
    mayEdit,
    mayRemember,
    ...(hasVoted && { hasVoted }),
    ...(whoMayAnswer !== undefined && { whoMayAnswer }),
    ...(stepUp && { stepUp }),
    ...(reasonOnDeny && { reasonOnDeny }),
    ...(paused && { paused }),
  };
}

/** The effect of a call, with the time as text. */
export function previewJson({ at, ...preview }: NonNullable<Question['preview']>): PreviewJson {
  return { ...preview, at: isoTime(at) };
}

/** The votes on a question, with their times as text. */
export function votesJson({ cast, ...needed }: Votes): VotesJson {
  return { ...needed, cast: cast.map(({ at, ...vote }) => ({ ...vote, at: isoTime(at) })) };
}

function repeatJson({ at, outcome, chatId, toolCallId }: Repeat): RepeatJson {
  return {
    at: isoTime(at),
    outcome,
    ...(chatId !== undefined && { chatId }),
    ...(toolCallId !== undefined && { toolCallId }),
  };
}

function answerJson(answer: Answer): AnswerJson {
  const { approved, reason, option, value, input, runsAs, by, onBehalfOf, at, via } = answer;
  return {
    approved,
    ...(reason !== undefined && { reason }),
    ...(option && { option }),
    ...(value !== undefined && { value }),
    ...(input !== undefined && { input }),
    ...(runsAs !== undefined && { runsAs }),
    by,
    ...(onBehalfOf && { onBehalfOf }),
    at: isoTime(at),
    via,
  };
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
