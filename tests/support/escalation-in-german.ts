import type { EscalationWords } from 'countersign/plugins/escalation/react';

const ends = { deny: 'abgelehnt', withdraw: 'zurückgezogen', 'ask-again': 'erneut gestellt' } as const;

/** German texts about escalation. */
export const germanEscalation: EscalationWords = {
  escalated: (label, at) => `Um ${at} weitergeleitet${label === undefined ? '' : ` an ${label}`}.`,
  ends: (end, at) => `Wird um ${at} ${ends[end]}, wenn niemand antwortet.`,
};
