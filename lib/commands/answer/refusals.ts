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
