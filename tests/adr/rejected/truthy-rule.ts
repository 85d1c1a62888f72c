import type { ApproverRule } from 'countersign';

/** Rejected: treats a rule's result as truthy or falsy, like an `if`. A promise is always truthy. */
export function allowsByTruth(answer: ReturnType<ApproverRule>): boolean {
  return Boolean(answer);
}
