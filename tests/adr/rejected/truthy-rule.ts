import type { ApproverRule } from 'countersign';

/** Takes what a rule answers for a truth value, as an `if` does: a promise is one, whatever it comes to. */
export function allowsByTruth(answer: ReturnType<ApproverRule>): boolean {
  return Boolean(answer);
}
