import type { VoteEventBody } from '../../protocol/events/vote-events.ts';
import { type EventRows, ofCall } from './event-row.ts';

/** Answers to a question that needs several. @source ADR 0047 */
export const voteRows: EventRows<VoteEventBody> = {
  'approval-voted': {
    claim: ({ approvalId, by }) => `voted:${approvalId}:${by.id}`,
    redact: ({ approver: _approver, ...event }) => event,
    fold: ofCall((call, event) => {
      call.votes = [...(call.votes ?? []), event];
    }),
    facts(event, { requested }, { digest }) {
      const { approvalId, approved, reason, by, onBehalfOf, via, approver, rule } = event;
      const who = { by: { ...by, ...approver }, onBehalfOf, via, rule };
      const shown = { digest: event.digest, effect: event.previewDigest };
      const approves = approved ? digest(requested.input) : undefined;
      return { type: 'voted', approvalId, approved, reason, ...who, ...shown, approves };
    },
    changesQuestion: true,
  },
};
