import { canonicalJson, type Question, type Risk } from '../../protocol/index.ts';
import { runtime } from '../../runtime/runtime.ts';

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
 * Whether a pre-approval applies to this question: the same content, and a risk that is not higher than before.
 *
 * @param given what was shown, as a digest, and its risk
 * @source ADR 0041
 */
export function isAbout(
  { covers, risk }: { readonly covers: string; readonly risk: Risk | undefined },
  question: Shown,
): boolean {
  const { risk: _risk, ...rest } = question;
  const isSame = covers === shownDigest({ ...rest, ...(risk && { risk }) });
  return (
    isSame && (question.risk === undefined || (risk !== undefined && ranks[question.risk] <= ranks[risk]))
  );
}
