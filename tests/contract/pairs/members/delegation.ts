import { delegation } from 'countersign/plugins/delegation';
import { people } from '../../../simulator/actors/people.ts';
import { addPlugin } from '../add-plugin.ts';
import { eventsOf, proves } from '../proofs.ts';
import type { Member } from '../stage.ts';

const minute = 60_000;

export const member: Member = (setup) => {
  const methods = addPlugin(setup, delegation({ people: () => Object.values(people) }));
  setup.several = { ...setup.several };
  setup.steps.push(['boss:1']);
  setup.before.push(() => methods().give({ principal: people.cleo, to: 'dora', until: Date.now() + minute }));
  proves(setup, 'delegation', () => {
    const has = eventsOf(setup).some(
      (event) =>
        event.type === 'approval-answered' && event.onBehalfOf?.id === 'cleo' && event.by.id === 'dora',
    );
    return has || eventsOf(setup);
  });
};
