import { agentRequests } from 'countersign/plugins/agent-requests';
import { people } from '../../../simulator/actors/people.ts';
import { addPlugin } from '../add-plugin.ts';
import { answerByHttp } from '../answers.ts';
import { proves } from '../proofs.ts';
import type { Member } from '../stage.ts';

export const member: Member = (setup) => {
  const methods = addPlugin(setup, agentRequests({ approvers: ({ role }) => role === 'manager' }));
  let asked: string | undefined;
  setup.before.push(async () => {
    asked = await methods().create({ principal: people.ben, key: 'deploy', title: 'Deploy' });
    await answerByHttp(setup.stage(), 'cleo', asked, { approved: true });
  });
  proves(setup, 'agent-requests', async () => {
    const answered = await setup.stage().raw.questions.read(asked as never);
    return answered?.state === 'approved' || answered?.state;
  });
};
