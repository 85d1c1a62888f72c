import { isRecord } from '../../protocol/json.ts';
import { refusalSchema } from '../../protocol/wire/refusal.ts';
import { parseQuestion, type Question } from '../question.ts';

/** What came of an answer. A refusal is a result too: it is shown, never thrown. @source H10 */
export type AnswerResult =
  /** It counts. */
  | { readonly type: 'answered'; readonly question: Question }
  /** The question was already decided. `question.answer` is present when a person answered. */
  | { readonly type: 'settled'; readonly question: Question; readonly message: string }
  /** The answer was refused, for example because of invalid arguments or a missing right. Nothing has changed. */
  | { readonly type: 'refused'; readonly code: string; readonly message: string }
  /** Whether the answer arrived is unknown. It can be repeated: only the first answer counts. */
  | { readonly type: 'unreachable' };

const unreadable = { code: 'internal', message: '', answer: undefined };
const withdrawals = ['superseded', 'expired'] as const;

/**
 * Reads the response to `POST /api/approvals/{id}`.
 *
 * @param asked the question as it was shown: a refusal contains only its new state
 */
export function parseAnswerResult(asked: Question, isOk: boolean, body: unknown): AnswerResult {
  if (isOk) return { type: 'answered', question: parseQuestion(isRecord(body) && body.approval) ?? asked };
  const { code, message, answer } = refusalSchema.safeParse(body).data?.error ?? unreadable;
  const withdrawn = withdrawals.find((known) => known === code);
  if (withdrawn) return { type: 'settled', question: { ...asked, state: withdrawn }, message };
  const standing = code === 'already-answered' ? standingOf(asked, answer) : undefined;
  return standing ? { type: 'settled', question: standing, message } : { type: 'refused', code, message };
}

function standingOf(asked: Question, answer: unknown): Question | undefined {
  const isApproved = isRecord(answer) && answer.approved === true;
  // A refusal does not say how the standing answer arrived.
  const standing = isRecord(answer) && { via: '', ...answer };
  const question = parseQuestion({ ...asked, state: isApproved ? 'approved' : 'denied', answer: standing });
  return question?.answer ? question : undefined;
}
