import type { AdvanceEventBody } from '../../protocol/events/advance-events.ts';
import { asWritten, type EventRows, none, ofCall } from './event-row.ts';

/** What people say about a call whose question is not due yet. @source ADR 0041 */
export const advanceRows: EventRows<AdvanceEventBody> = {
  'advance-approved': {
    claim: none,
    redact: ({ approver: _approver, ...event }) => event,
    fold: ofCall((call, event) => {
      call.advance = event;
    }),
    facts({ type, grantId, digest, risk, by, approver, via, rule }, { requested }, { shown }) {
      const who = { by: { ...by, ...approver }, via, rule };
      return { type, grantId, digest, risk, ...who, ...shown(requested.input, requested.runsAs) };
    },
  },
  'advance-revoked': {
    claim: none,
    redact: asWritten,
    fold: ofCall((call, { grantId }) => {
      if (call.advance?.grantId === grantId) call.advance = undefined;
    }),
    facts: ({ type, grantId, by, via }) => ({ type, grantId, by, via }),
  },
};
