import { rehearsal } from 'countersign/plugins/rehearsal';
import { people } from '../../../simulator/actors/people.ts';
import { addPlugin } from '../add-plugin.ts';
import { proves } from '../proofs.ts';
import type { Member } from '../stage.ts';

export const member: Member = (setup) => {
  const methods = addPlugin(setup, rehearsal({ policies: { strict: () => 'denied' } }));
  proves(setup, 'rehearsal', async () => {
    const report = await methods().run({ principal: people.cleo, policy: 'strict', since: 0 });
    return JSON.stringify(report).includes('pay') || report;
  });
};
