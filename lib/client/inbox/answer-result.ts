import { isRecord } from '../../protocol/json.ts';
import { parseQuestion, type Question } from '../question.ts';

/** What came of an answer. A refusal is a result too: it is shown, never thrown. @source H10 */
export type AnswerResult =
  /** It counts. */
  | { readonly type: 'answered'; readonly question: Question }
  /** Somebody or something was first; `question.answer` is the standing one, when a person gave it. */
  | { readonly type: 'settled'; readonly question: Question; readonly message: string }
  /** Not taken: the arguments do not fit, it is for somebody else, … Nothing has changed. */
  | { readonly type: 'refused'; readonly code: string; readonly message: string }
  /** Nobody knows whether it arrived. To repeat it is harmless: the first answer counts. */
  | { readonly type: 'unreachable' };

const withdrawals = ['superseded', 'expired'] as const;

/**
 * Reads the response to `POST /api/approvals/{id}`.
 *
 * @param asked the question as it was shown: a refusal tells only what became of it
 */
export function parseAnswerResult(asked: Question, isOk: boolean, body: unknown): AnswerResult {
  const given = isRecord(body) ? body : {};
  if (isOk) return { type: 'answered', question: parseQuestion(given.approval) ?? asked };
  const error = isRecord(given.error) ? given.error : {};
  const code = typeof error.code === 'string' ? error.code : 'internal';
  const message = typeof error.message === 'string' ? error.message : '';
  const withdrawn = withdrawals.find((known) => known === code);
  if (withdrawn) return { type: 'settled', question: { ...asked, state: withdrawn }, message };
  const standing = code === 'already-answered' ? standingOf(asked, error.answer) : undefined;
  return standing ? { type: 'settled', question: standing, message } : { type: 'refused', code, message };
}

function standingOf(asked: Question, answer: unknown): Question | undefined {
  const isApproved = isRecord(answer) && answer.approved === true;
  const question = parseQuestion({ ...asked, state: isApproved ? 'approved' : 'denied', answer });
  return question?.answer ? question : undefined;
}
