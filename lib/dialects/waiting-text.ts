import type { EventOf } from '../protocol/index.ts';

/**
 * What waits, and where to answer, for clients that show no questions.
 *
 * @param hasText of the turn, before it
 * @source B18, D15
 */
export function waitingText(
  { approvalId, description }: Pick<EventOf<'approval-requested'>, 'approvalId' | 'description'>,
  hasText: boolean,
): string {
  const where = `Answer in the inbox, or with POST /api/approvals/${approvalId}.`;
  return `${hasText ? '\n\n' : ''}Waiting for approval: ${description}\n${where}`;
}
