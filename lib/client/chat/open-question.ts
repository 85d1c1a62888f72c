import type { UIMessage } from 'ai';
import { addedIn, type NewAnswer, type Question } from '../question.ts';
import type { AnswerToSend } from '../transport/kept-answers.ts';
import type { QuestionOf } from './approval-chat-types.ts';
import type { KnownAnswer } from './live/known-answers.ts';
import type { ChangedQuestion } from './live/live-parts.ts';
import { isOpenPart, lastReplyIn, type OpenPart, questionOfPart } from './message-parts.ts';

/** The open parts of a chat. A message that is being sent may cancel them. */
export function openPartsOf(messages: readonly UIMessage[], isBusy: boolean): readonly OpenPart[] {
  if (isBusy && messages.at(-1)?.role !== 'assistant') return [];
  return lastReplyIn(messages)?.parts.filter(isOpenPart) ?? [];
}

/**
 * The open question as it is now.
 *
 * @param canCarry whether the transport can carry more than yes or no: otherwise, nothing more is offered
 * @param changed what the server said of the question since
 */
export function openQuestionOf<Message extends UIMessage>(
  part: OpenPart | undefined,
  chatId: string,
  canCarry: boolean,
  changed: ChangedQuestion | undefined,
): QuestionOf<Message> | undefined {
  if (!part) return undefined;
  const asked = withChanges(questionOfPart(part, chatId), changed);
  const carried = canCarry ? asked : { ...asked, mayEdit: false, mayRemember: false, options: undefined };
  // The message type declares the tools and their inputs.
  return carried as QuestionOf<Message>;
}

/** The response to an answer of this page may be newer than what the server said before. */
function withChanges(asked: Question, changed: ChangedQuestion | undefined): Question {
  if (changed?.id !== asked.id || givenTo(changed) < givenTo(asked)) return asked;
  const { plugins, answers, mayAnswer, hasAnswered } = changed;
  return { ...asked, plugins, answers, mayAnswer, hasAnswered };
}

function givenTo({ answers = [] }: ChangedQuestion): number {
  return answers.length;
}

/** An answer as it is sent: a denial has no edits. @throws Error for what the transport cannot carry */
export function answerToSend(id: string, given: NewAnswer, canCarry: boolean): AnswerToSend {
  const { approved, option, value, input, previewDigest } = given;
  const added = addedIn(given);
  const isMore = [input, option, value, ...Object.values(added)].some((field) => field !== undefined);
  if (!canCarry && (approved ? isMore : option !== undefined)) {
    throw new Error(
      'This transport cannot carry edited arguments or options, or remember approvals. Use createSseTransport or createBidiTransport.',
    );
  }
  const reason = given.reason?.trim();
  const extras = { value, input, previewDigest, ...added };
  return { id, approved, option, reason: reason || undefined, ...(approved && extras) };
}

/** An answer as this page shows it until the server has confirmed it. @param question the one that it answers, if known */
export function answerToShow(
  { approved, reason, input, option }: AnswerToSend,
  question: Question | undefined,
): KnownAnswer {
  const chosen = question?.options?.find(({ id }) => id === option);
  return {
    approved,
    at: new Date().toISOString(),
    reason,
    option: chosen && { id: chosen.id, label: chosen.label },
    input: approved && input !== undefined ? input : undefined,
  };
}
