import {
  type AnswerRequest,
  type ApprovalId,
  CountersignError,
  type Principal,
  type Question,
  type RunId,
} from '../../protocol/index.ts';
import { giversTo } from '../../rights/givers.ts';
import { type QuestionView, questionView } from '../../rights/question-rights.ts';
import { isVisible, rightsTo } from '../../rights/rights-to.ts';
import type { Engine } from '../../run/engine.ts';
import { retryOnConflict } from '../../run/retry-on-conflict.ts';
import { runStart } from '../../run/run-start.ts';
import { expireIfDue, isDue } from '../expire.ts';
import { askAgain } from './ask-again.ts';
import { streamGivenBefore } from './given-before.ts';
import { recordPostponed } from './record-postponed.ts';
import { neverAsked, questionChanged, replacementOf } from './refusals.ts';
import { takeAnswers } from './take-answers.ts';

/** A question that was just answered, and the run that continues with the answer, if there is one. */
export type AnsweredQuestion = QuestionView & { readonly runId?: RunId };

/** An answer from outside the chat, which names only its question. */
type Request = Omit<AnswerRequest, 'shownInput'> & { readonly principal: Principal; readonly via: string };

/**
 * Answers a question from anywhere. The run continues without a reader.
 *
 * @throws CountersignError `not-found`, `forbidden`, `already-answered`, `expired`, `superseded`, `question-changed`
 * @source H10
 */
export async function answerQuestion(engine: Engine, request: Request): Promise<AnsweredQuestion> {
  const { store, settings } = engine;
  const { approvalId, principal } = request;
  // The rights that other instances have recorded before this count.
  await giversTo(settings, principal, true);
  const question = await store.questions.read(approvalId);
  if (!question || !(await isVisible(settings, principal, question))) throw neverAsked(approvalId);
  return retryOnConflict(engine, question.chatId, async () => {
    const current = await store.questions.read(approvalId);
    if (!current) throw neverAsked(approvalId);
    if (await isDue(engine, current)) {
      await expireIfDue(engine, current);
      return undefined;
    }
    await assertOpen(engine, current, request);
    return settle(engine, current, request);
  });
}

async function assertOpen(engine: Engine, question: Question, request: Request): Promise<void> {
  const { id, chatId, state } = question;
  if (state === 'tool-changed' || state === 'asked-again') {
    throw questionChanged(id, chatId, {
      replacedBy: replacementOf(await engine.store.events.read(chatId, 0), id),
    });
  }
  if (state !== 'open') throw settledError(question, await streamGivenBefore(engine, question, request));
}

async function settle(
  engine: Engine,
  { chatId }: Question,
  { principal, via, ...answer }: Request,
): Promise<AnsweredQuestion | undefined> {
  const { store } = engine;
  const { approvalId } = answer;
  const head = await store.chats.head(chatId);
  if (!head) throw neverAsked(approvalId);
  const journal = await engine.openJournal(head);
  const taken = await takeAnswers(engine, journal, { chatId, principal, via, answers: [answer] });
  switch (taken.type) {
    case 'settles': {
      journal.keep(taken.records);
      await engine.resume(journal, taken.run, runStart(journal, principal), ...taken.events);
      const answered = await viewOf(engine, approvalId, principal);
      return answered && { ...answered, runId: taken.run.runId };
    }
    case 'awaits-output':
      journal.keep(taken.records);
      await journal.commit(taken.run.runId, ...taken.events);
      return viewOf(engine, approvalId, principal);
    case 'postponed': {
      const seq = await recordPostponed(engine, journal, taken);
      return seq === undefined ? undefined : viewOf(engine, approvalId, principal);
    }
    case 'ask-again': {
      const again = await askAgain(taken.engine, journal, taken, principal);
      // Who changed the arguments has answered the question that replaces this one.
      if (taken.edit && again.replacedBy) return viewOf(engine, again.replacedBy, principal);
      throw questionChanged(approvalId, chatId, again);
    }
    case 'nothing-new':
      return undefined;
  }
}

async function viewOf(
  { store, settings }: Engine,
  approvalId: ApprovalId,
  principal: Principal,
): Promise<AnsweredQuestion | undefined> {
  const question = await store.questions.read(approvalId);
  return question && questionView(question, await rightsTo(settings, principal, question));
}

/**
 * The refusal of an answer, or of what a plugin would record, to a question that is no longer open: `already-answered`, `expired` or
 * `superseded`.
 *
 * @param more further fields: `stream_id`, if the same answer was given before
 */
export function settledError(
  { id, state, answer }: Question,
  more: { readonly stream_id?: string } = {},
): CountersignError {
  if (answer) {
    const { approved, reason, by, onBehalfOf, at } = answer;
    return new CountersignError('already-answered', `Question ${id} was answered by ${by.name} already.`, {
      approvalId: id,
      answer: { approved, reason, by, onBehalfOf, at: new Date(at).toISOString() },
      ...more,
    });
  }
  return state === 'expired'
    ? new CountersignError('expired', `Question ${id} has expired.`, { approvalId: id })
    : new CountersignError('superseded', `Question ${id} was withdrawn (${state}).`, { approvalId: id });
}
