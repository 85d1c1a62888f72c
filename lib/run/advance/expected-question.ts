import type { ChatHead } from '../../log/store/index.ts';
import { questionOf } from '../../log/turn/question.ts';
import type { Call } from '../../log/turn/turn.ts';
import { canonicalJson, type EventOf, type Question, type RunId } from '../../protocol/index.ts';
import { runtime } from '../../runtime/runtime.ts';
import type { DueQuestion } from '../question/question-due.ts';

/** The question that an event would ask, before it is recorded. */
export function expectedQuestion(
  call: Call,
  due: DueQuestion,
  chat: Pick<ChatHead, 'id' | 'ownerId'>,
): Question | undefined {
  const asked: EventOf<'approval-requested'> = { ...due, seq: 0, at: 0, runId: '' as RunId };
  return questionOf({ ...call, asked }, chat);
}

/** The parts of a question on which a pre-approval is based. */
type Shown = Pick<Question, 'digest' | 'description' | 'input' | 'runsAs' | 'risk'>;

/**
 * A digest of what a person is shown about a call before its question is due: the tool, the sentence, the
 * redacted arguments as written and as run, and the risk.
 *
 * @source ADR 0041
 */
export function shownDigest({ digest, description, input, runsAs, risk }: Shown): string {
  const shown = [digest ?? null, description, input, runsAs ?? null, risk ?? null];
  return runtime.digest(canonicalJson(shown)).slice(0, 22);
}

const ranks = { low: 1, medium: 2, high: 3 };

/**
 * Whether a pre-approval applies to this question: the same content, and a risk that is not higher
 * than before.
 *
 * @source ADR 0041
 */
export function isAbout({ digest, risk }: EventOf<'advance-approved'>, question: Shown): boolean {
  const { risk: _risk, ...rest } = question;
  const isSame = digest === shownDigest({ ...rest, ...(risk && { risk }) });
  return (
    isSame && (question.risk === undefined || (risk !== undefined && ranks[question.risk] <= ranks[risk]))
  );
}
