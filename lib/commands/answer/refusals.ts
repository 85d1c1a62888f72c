import { formatStreamId } from '../../protocol/ids/stream-id.ts';
import { type ApprovalId, type ChatId, CountersignError, type FlowEvent } from '../../protocol/index.ts';
import type { AskedAgain } from './ask-again.ts';

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

/**
 * The refusal of an answer to a question that has changed.
 *
 * @param next absent if the question is not asked again
 * @source ADR 0020, H10
 */
export function questionChanged(
  approvalId: ApprovalId,
  chatId: ChatId,
  { replacedBy, runId }: Partial<AskedAgain>,
): CountersignError {
  const what = replacedBy ? `Answer question ${replacedBy}.` : 'It is not asked again.';
  return new CountersignError(
    'question-changed',
    `What question ${approvalId} was about has changed. Nothing was run. ${what}`,
    {
      approvalId,
      replacedBy,
      stream_id: runId ? formatStreamId(chatId, runId) : undefined,
    },
  );
}

/** The question that now replaces an earlier one, directly or through several replacements. */
export function replacementOf(events: Iterable<FlowEvent>, approvalId: ApprovalId): ApprovalId | undefined {
  let standing = approvalId;
  for (const event of events) {
    if (event.type === 'approval-requested' && event.replaces === standing) standing = event.approvalId;
  }
  return standing === approvalId ? undefined : standing;
}
