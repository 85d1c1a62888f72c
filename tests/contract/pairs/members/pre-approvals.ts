import { preApprovals } from 'countersign/plugins/pre-approvals';
import { addPlugin } from '../add-plugin.ts';
import { eventsOf, expectStatus, proves } from '../proofs.ts';
import { chatId, type Member } from '../stage.ts';

type Listed = { readonly toolCallId: string; readonly digest: string };

export const member: Member = (setup) => {
  addPlugin(setup, preApprovals());
  setup.steps.push(['put:1', 'put:2']);
  setup.asked.push(async ({ approvalId, toolName }) => {
    if (toolName !== 'put') return;
    const { clients, reached } = setup.stage();
    const path = `/api/approvals/${approvalId}/upcoming`;
    const call = { who: 'ada', does: 'pre-approve', instance: reached, chatId, path } as const;
    const { json } = await clients.ask(call);
    const calls = (json as { upcoming: Listed[] }).upcoming.map(({ toolCallId, digest }) => ({
      ...{ toolCallId, digest },
      approved: true,
    }));
    if (calls.length === 0) return;
    expectStatus(200, (await clients.ask({ ...call, method: 'POST', body: { calls } })).status);
  });
  proves(setup, 'pre-approvals', () => {
    const granted = eventsOf(setup).some(
      (event) => event.type === 'approval-granted' && event.plugin === 'preApprovals',
    );
    return granted || eventsOf(setup);
  });
};
