import { formatStreamId } from '../../protocol/ids/stream-id.ts';
import { type ApprovalId, type ChatId, CountersignError, type FlowEvent } from '../../protocol/index.ts';
import type { AskedAgain } from './ask-again.ts';

/**
 * The refusal of an answer to a question that has changed since it was asked.
 *
 * @param next the question that replaces it, absent if the policy decided or the tool no longer exists; and
 *   the run that this answer began, whose stream contains the result
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
