import type { FlowSettings } from 'countersign';
import type { FlowPlugin } from 'countersign/plugin';
import { delegation } from 'countersign/plugins/delegation';
import { escalation } from 'countersign/plugins/escalation';
import { votes } from 'countersign/plugins/votes';

const voters = ['ben', 'dan', 'fay'];

/** Two of three people must approve a payment. After a moment Eve may, too. Everybody may delegate. */
export const votingRules: Partial<FlowSettings> & { readonly plugins: readonly FlowPlugin[] } = {
  plugins: [
    votes(),
    escalation(),
    delegation({ people: ({ ids = [] }) => ids.map((id) => ({ id, name: id })) }),
  ],
  toolDetails: {
    pay: {
      approvers: ({ id }) => voters.includes(id),
      votes: { count: 2 },
      escalation: { steps: [{ afterMs: 500, to: ({ id }) => id === 'eve' }] },
    },
  },
  sweepMs: 100,
} satisfies Partial<FlowSettings>;
