import { eventsOf, proves } from '../proofs.ts';
import type { Member } from '../stage.ts';

export const member: Member = (setup) => {
  setup.several = { ...setup.several, escalation: { steps: [{ afterMs: 1, adds: 'cleo' }] } };
  proves(setup, 'escalation', () =>
    eventsOf(setup).some((event) => event.type === 'plugin-event' && event.plugin === 'escalation'),
  );
};
