import { insights } from 'countersign/plugins/insights';
import { people } from '../../../simulator/actors/people.ts';
import { addPlugin } from '../add-plugin.ts';
import { proves } from '../proofs.ts';
import type { Member } from '../stage.ts';

export const member: Member = (setup) => {
  const methods = addPlugin(setup, insights());
  proves(setup, 'insights', async () => {
    const { all } = await methods().read({ principal: people.cleo });
    return all.approved >= 2 || all;
  });
};
