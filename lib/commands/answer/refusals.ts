import { type ApprovalId, CountersignError } from '../../protocol/index.ts';

/** The refusal of an answer to a question that does not exist. @source H10 */
export function neverAsked(approvalId: ApprovalId): CountersignError {
  return new CountersignError(
    'not-found',
    `No question ${approvalId} was ever asked here. Nothing was run.`,
    {
      approvalId,
    },
  );
}

/** The refusal of an answer that this person may not give. `why` continues the sentence "Question … ". */
export function forbidden(approvalId: ApprovalId, why: string): CountersignError {
  return new CountersignError('forbidden', `Question ${approvalId} ${why}.`, { approvalId });
}

/** The refusal of an error in the place of what a person fills in. The question stays open. @source ADR 0050 */
export function notAnOutput(approvalId: ApprovalId, errorText: string): CountersignError {
  const message = `Question ${approvalId} was not answered (${errorText.slice(0, 200)}). Send a value, or deny it.`;
  return new CountersignError('invalid-request', message, { approvalId });
}
