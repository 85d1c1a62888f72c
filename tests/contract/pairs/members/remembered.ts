import { remembered } from 'countersign/plugins/remembered';
import { addPlugin } from '../add-plugin.ts';
import { eventsOf, proves } from '../proofs.ts';
import type { Member } from '../stage.ts';

export const member: Member = (setup) => {
  addPlugin(setup, remembered());
  setup.steps.push(['cents:1'], ['cents:2']);
  proves(setup, 'remembered', () => {
    const granted = eventsOf(setup).filter(({ type }) => type === 'approval-granted').length;
    return granted > 0 || eventsOf(setup);
  });
};
