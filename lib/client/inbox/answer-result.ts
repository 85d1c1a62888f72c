import { isBranded } from '../../protocol/errors/errors.ts';
import { isRecord } from '../../protocol/json.ts';
import { errorIn, type ServerError } from '../http/server-error.ts';
import { parseQuestion, type Question } from '../question.ts';

/** The result of an answer. A refusal is also a result: it is shown, never thrown. @source H10 */
export type AnswerResult =
  /** It counts. */
  | { readonly type: 'answered'; readonly question: Question }
  /** The question was already decided. `question.answer` is present when a person answered. */
  | { readonly type: 'settled'; readonly question: Question; readonly message: string }
  /** The answer was refused, for example because of invalid arguments or a missing right. Nothing has changed. */
  | {
      readonly type: 'refused';
      readonly code: string;
      readonly message: string;
      /** The edited arguments that did not fit, as the server sent them. */
      readonly fieldErrors?: unknown;
    }
  /** Whether the answer arrived is unknown. It can be repeated: only the first answer counts. */
  | { readonly type: 'unreachable' };

const unconfirmed: unique symbol = Symbol.for('countersign.unconfirmed');

/**
 * It is unknown whether an answer was received. If the `onAnswer` of a card throws it, the card says so
 * instead of showing a refusal.
 *
 * @source ADR 0038
 */
export class UnconfirmedAnswerError extends Error {
  override readonly name = 'UnconfirmedAnswerError';
  readonly [unconfirmed] = true;

  /** Whether a value is an error of this class, or of its copy in another bundle. */
  static is(error: unknown): error is UnconfirmedAnswerError {
    return isBranded(error, unconfirmed);
  }
}

const unreadable: ServerError = { code: 'internal', message: '' };
const withdrawals = ['superseded', 'expired'] as const;

/**
 * Reads the response to `POST /api/approvals/{id}`.
 *
 * @param asked the question as it was shown: a refusal contains only its new state
 */
export function parseAnswerResult(asked: Question, isOk: boolean, body: unknown): AnswerResult {
  if (isOk) return { type: 'answered', question: parseQuestion(isRecord(body) && body.approval) ?? asked };
  const { code, message, answer, fieldErrors } = errorIn(body) ?? unreadable;
  const withdrawn = withdrawals.find((known) => known === code);
  if (withdrawn) return { type: 'settled', question: { ...asked, state: withdrawn }, message };
  const standing = code === 'already-answered' ? standingOf(asked, answer) : undefined;
  if (standing) return { type: 'settled', question: standing, message };
  return { type: 'refused', code, message, fieldErrors };
}

function standingOf(asked: Question, answer: unknown): Question | undefined {
  const isApproved = isRecord(answer) && answer.approved === true;
  // A refusal does not state how the standing answer arrived.
  const standing = isRecord(answer) && { via: '', ...answer };
  const question = parseQuestion({ ...asked, state: isApproved ? 'approved' : 'denied', answer: standing });
  return question?.answer ? question : undefined;
}
