import type { RecordedAnswerBody } from '../../protocol/events/recorded-answer-events.ts';
import { type EventRows, ofCall } from './event-row.ts';

/** Answers that leave their question open. @source ADR 0056 */
export const recordedAnswerRows: EventRows<RecordedAnswerBody> = {
  'answer-recorded': {
    claim: ({ approvalId, by }) => `recorded:${approvalId}:${by.id}`,
    redact: ({ approver: _approver, ...event }) => event,
    fold: ofCall((call, event) => {
      call.recorded = [...(call.recorded ?? []), event];
    }),
    facts(event, { requested }, { digest }) {
      const { approvalId, approved, reason, by, onBehalfOf, via, approver, rule } = event;
      const who = { by: { ...by, ...approver }, onBehalfOf, via, rule };
      const shown = { digest: event.digest, effect: event.previewDigest };
      const approves = approved ? digest(requested.input) : undefined;
      return { type: 'recorded', approvalId, approved, reason, ...who, ...shown, approves };
    },
    changesQuestion: true,
  },
};
