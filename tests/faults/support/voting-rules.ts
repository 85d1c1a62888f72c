import type { FlowPlugin, FlowSettings } from 'countersign';
import { delegation } from 'countersign/plugins/delegation';
import { escalation } from 'countersign/plugins/escalation';

const voters = ['ben', 'dan', 'fay'];

/** Two of three people must approve a payment. After a moment Eve may, too. Everybody may delegate. */
export const votingRules: Partial<FlowSettings> & { readonly plugins: readonly FlowPlugin[] } = {
  plugins: [escalation(), delegation({ people: ({ ids = [] }) => ids.map((id) => ({ id, name: id })) })],
  toolDetails: {
    pay: {
      approvals: { count: 2, of: ({ id }) => voters.includes(id) },
      escalation: { steps: [{ afterMs: 500, to: ({ id }) => id === 'eve' }] },
    },
  },
  sweepMs: 100,
} satisfies Partial<FlowSettings>;
