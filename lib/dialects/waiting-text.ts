import type { EventOf } from '../protocol/index.ts';

/**
 * What a client reads that shows no questions: what waits, and where to answer. It is no part of the stored message.
 *
 * @param hasText whether text of the turn stands before it
 * @source B18, D15
 */
export function waitingText(
  { approvalId, description }: Pick<EventOf<'approval-requested'>, 'approvalId' | 'description'>,
  hasText: boolean,
): string {
  const where = `Answer in the inbox, or with POST /api/approvals/${approvalId}.`;
  return `${hasText ? '\n\n' : ''}Waiting for approval: ${description}\n${where}`;
}
