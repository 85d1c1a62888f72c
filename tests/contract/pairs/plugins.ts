import { agentRequests } from 'countersign/plugins/agent-requests';
import { delegation } from 'countersign/plugins/delegation';
import { imports } from 'countersign/plugins/imports';
import { insights } from 'countersign/plugins/insights';
import { operations } from 'countersign/plugins/operations';
import { rehearsal } from 'countersign/plugins/rehearsal';
import { remembered } from 'countersign/plugins/remembered';
import { telemetry } from 'countersign/plugins/telemetry';
import { votes } from 'countersign/plugins/votes';
import { people } from '../../simulator/actors/people.ts';
import { recordTelemetry } from '../../support/record-telemetry.ts';
import { addPlugin } from './add-plugin.ts';
import { answerByHttp } from './answers.ts';
import { chatId, type Member, type Setup } from './stage.ts';

const minute = 60_000;

/** Plugins that take part in questions and answers, or watch them. Each proves what it did in the turn. */
export const plugins = {
  'agent-requests': (setup) => {
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
  },
  delegation: (setup) => {
    const methods = addPlugin(setup, delegation({ people: () => Object.values(people) }));
    setup.several = { ...setup.several };
    setup.steps.push(['boss:1']);
    setup.before.push(() =>
      methods().give({ principal: people.cleo, to: 'dora', until: Date.now() + minute }),
    );
    proves(setup, 'delegation', () => {
      const has = eventsOf(setup).some(
        (event) =>
          event.type === 'approval-answered' && event.onBehalfOf?.id === 'cleo' && event.by.id === 'dora',
      );
      return has || eventsOf(setup);
    });
  },
  escalation: (setup) => {
    setup.several = { ...setup.several, escalation: { steps: [{ afterMs: 1, adds: 'cleo' }] } };
    proves(setup, 'escalation', () =>
      eventsOf(setup).some((event) => event.type === 'plugin-event' && event.plugin === 'escalation'),
    );
  },
  imports: (setup) => {
    const methods = addPlugin(setup, imports());
    setup.before.push(async () => {
      const { history } = setup.stage();
      const before = { moment: history.moment(), instance: 'one', chatId };
      const { status } = await methods().chat({
        ...{ principal: people.ada, chatId, createdAt: 1 },
        messages: [
          { id: 'past-user', role: 'user', parts: [{ type: 'text', text: `${chatId} []` }] },
          { id: 'past', role: 'assistant', parts: [{ type: 'text', text: 'Before.', state: 'done' }] },
        ],
      });
      history.imports.push({ ...before, status });
    });
    proves(setup, 'imports', async () => {
      const chat = await setup.stage().flow.chats.read({ chatId: chatId as never, principal: people.ada });
      return chat.messages.some(({ id }) => id === 'past') && chat.messages.length > 2;
    });
  },
  insights: (setup) => {
    const methods = addPlugin(setup, insights());
    proves(setup, 'insights', async () => {
      const { all } = await methods().read({ principal: people.cleo });
      return all.approved >= 2 || all;
    });
  },
  operations: (setup) => {
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
  },
  rehearsal: (setup) => {
    const methods = addPlugin(setup, rehearsal({ policies: { strict: () => 'denied' } }));
    proves(setup, 'rehearsal', async () => {
      const report = await methods().run({ principal: people.cleo, policy: 'strict', since: 0 });
      return JSON.stringify(report).includes('pay') || report;
    });
  },
  remembered: (setup) => {
    addPlugin(setup, remembered());
    setup.steps.push(['cents:1'], ['cents:2']);
    proves(setup, 'remembered', () => {
      const granted = eventsOf(setup).filter(({ type }) => type === 'approval-granted').length;
      return granted > 0 || eventsOf(setup);
    });
  },
  telemetry: (setup) => {
    const recorded = recordTelemetry();
    addPlugin(setup, telemetry());
    proves(setup, 'telemetry', () => recorded.spans().length > 0);
  },
  votes: (setup) => {
    addPlugin(setup, votes());
    setup.several = { ...setup.several, voted: ['pay'] };
    proves(
      setup,
      'votes',
      () => eventsOf(setup).filter(({ type }) => type === 'answer-recorded').length >= 2,
    );
  },
} satisfies Record<string, Member>;

/** The events of the row's chat. */
export function eventsOf({ stage }: Setup) {
  return stage()
    .log()
    .map(({ event }) => event);
}

/** A member without this has proved nothing. */
export function proves({ proofs }: Setup, of: string, holds: () => unknown): void {
  proofs.push({ of, holds });
}
