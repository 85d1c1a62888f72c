import type { EscalationEventBody } from '../../protocol/events/escalation-events.ts';
import type { EscalationPlan } from '../../protocol/index.ts';
import type { CallFacts } from '../seal/audit-entry.ts';
import { asWritten, type EventRows, ofCall } from './event-row.ts';

/** What happens to a question without an answer. None of it is an activity of the chat. @source ADR 0048 */
export const escalationRows: EventRows<EscalationEventBody> = {
  'approval-escalated': {
    claim: ({ approvalId, step }) => `escalated:${approvalId}:${step}`,
    redact: asWritten,
    fold: ofCall((call, event) => {
      call.escalated = event;
    }),
    facts: ({ approvalId, step, label }) => ({ type: 'escalated', approvalId, step, label }),
    head: (_event, { updatedAt }) => ({ updatedAt }),
    changesQuestion: true,
    isForReaders: true,
    isNotice: () => true,
  },
  'approval-reminded': {
    claim: ({ approvalId, number }) => `reminded:${approvalId}:${number}`,
    redact: asWritten,
    fold: ofCall((call, event) => {
      call.reminded = event;
    }),
    facts: ({ approvalId, number }) => ({ type: 'reminded', approvalId, number }),
    head: (_event, { updatedAt }) => ({ updatedAt }),
    changesQuestion: true,
    isForReaders: true,
    isNotice: () => true,
  },
};

/** The plan of a question, in its `asked` entry. */
export function escalationFacts({
  steps,
}: EscalationPlan): Extract<CallFacts, { type: 'asked' }>['escalation'] {
  return { steps: steps.map(({ at, label }) => ({ at: new Date(at).toISOString(), label })) };
}
