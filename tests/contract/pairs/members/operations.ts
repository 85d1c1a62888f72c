import { operations } from 'countersign/plugins/operations';
import { people } from '../../../simulator/actors/people.ts';
import { addPlugin } from '../add-plugin.ts';
import { proves } from '../proofs.ts';
import type { Member } from '../stage.ts';

export const member: Member = (setup) => {
  const methods = addPlugin(setup, operations());
  const seen: string[] = [];
  setup.before.push(async () => {
    const { flow } = setup.stage();
    await flow.tools.pause({ principal: people.cleo, tool: 'slow', reason: 'A test.' });
    const { pauses } = await methods().read({ principal: people.cleo });
    for (const { tool } of pauses) seen.push(tool ?? '');
    await flow.tools.unpause({ principal: people.cleo, tool: 'slow' });
  });
  proves(setup, 'operations', () => seen.includes('slow'));
};
