import { agentRequests } from 'countersign/plugins/agent-requests';
import { describe, expect, it } from 'vitest';
import { ada, flowFixture } from '../support/flow-fixture.ts';
import { type KeyedServer, keyedServer, keys } from '../support/keyed-server.ts';
import { nested } from '../support/nested.ts';

const asked = {
  title: 'Deploy version 2',
  details: 'It passed all tests.',
  arguments: { version: 2, region: 'eu' },
};

function ask({ send }: KeyedServer, body: unknown = asked, key = 'deploy-2', by = keys.agent) {
  return send(by, 'POST', '/approvals', body, { 'idempotency-key': key });
}

async function settled({ send }: KeyedServer, id: string) {
  for (;;) {
    const { body } = await send(keys.agent, 'GET', `/approvals/${id}`);
    if (body.approval.state !== 'open' && body.outcome !== 'approved' && body.outcome !== 'running')
      return body;
  }
}

describe('requests of agents over HTTP [H9, ADR 0044]', () => {
  it('asks in the name of the agent, with its words quoted, and calls no model [H9, S4]', async () => {
    const server = await keyedServer();
    const { status, body } = await ask(server);
    expect([status, body.approval]).toMatchObject([
      200,
      {
        toolName: 'request_approval',
        title: 'Request from an agent',
        description: 'An agent asks, in its own words: “Deploy version 2”',
        risk: 'medium',
        riskReason: 'not rated by the agent',
        askedBy: { id: 'user:build agent', name: 'Build agent' },
        input: asked,
        state: 'open',
        mayAnswer: false,
        whoMayAnswer: 'Waiting for another person. The agent that asked cannot answer.',
      },
    ]);
    const inbox = await server.send(keys.ada, 'GET', '/approvals');
    expect(inbox.body.approvals).toMatchObject([{ id: body.approval.id, mayAnswer: true, mayEdit: true }]);
    const card = await server.send(keys.ada, 'GET', `/approvals/${body.approval.id}`);
    expect(card.body.context.message).toBe('Deploy version 2\n\nIt passed all tests.');
  });

  it.each([
    ['its own key', keys.agent],
    ['the key of another agent', keys.otherAgent],
    ['the key of a person whom the rule does not allow', keys.ben],
  ])('cannot be answered with %s [H10]', async (_name, key) => {
    const server = await keyedServer();
    const { id } = (await ask(server)).body.approval;
    const { status } = await server.send(key, 'POST', `/approvals/${id}`, { approved: true });
    expect([403, 404]).toContain(status);
    const still = await server.send(keys.ada, 'GET', `/approvals/${id}`);
    expect(still.body.approval.state).toBe('open');
  });

  it('cannot be answered by the asker even if the rule would allow it [H10]', async () => {
    const server = await keyedServer({ plugins: [agentRequests({ approvers: () => true })] });
    const { id } = (await ask(server)).body.approval;
    const own = await server.send(keys.agent, 'POST', `/approvals/${id}`, { approved: true });
    expect([own.status, own.body.error.code]).toEqual([403, 'forbidden']);
  });

  it('returns the edited arguments, the person and the reason to the agent [H10]', async () => {
    const server = await keyedServer();
    const { id } = (await ask(server)).body.approval;
    const input = { ...asked, arguments: { version: 2, region: 'us' } };
    await server.send(keys.ada, 'POST', `/approvals/${id}`, { approved: true, input });
    const { approval, outcome } = await settled(server, id);
    expect([approval.state, approval.answer, outcome]).toMatchObject([
      'approved',
      { by: { name: 'Ada' }, input },
      'completed',
    ]);
    const denied = (await ask(server, { title: 'Drop the table' }, 'drop')).body.approval;
    await server.send(keys.ada, 'POST', `/approvals/${denied.id}`, { approved: false, reason: 'No.' });
    const { approval: refused } = await settled(server, denied.id);
    expect(refused).toMatchObject({ state: 'denied', answer: { reason: 'No.' } });
  });

  it('is asked once for each key of an agent, and a key is refused for another request [H9]', async () => {
    const server = await keyedServer();
    const [one, two] = await Promise.all([ask(server), ask(server)]);
    expect(two.body.approval.id).toBe(one.body.approval.id);
    const other = await ask(server, { title: 'Deploy version 3' });
    expect([other.status, other.body.error.code]).toEqual([422, 'key-reused']);
    const foreign = await ask(server, asked, 'deploy-2', keys.otherAgent);
    expect(foreign.body.approval.id).not.toBe(one.body.approval.id);
    const { body } = await server.send(keys.ada, 'GET', '/approvals');
    expect(body.approvals).toHaveLength(2);
  });

  it('is withdrawn by the agent that asked, and by no other agent [H5]', async () => {
    const server = await keyedServer();
    const { id, chatId } = (await ask(server)).body.approval;
    const other = await server.send(keys.otherAgent, 'DELETE', `/chat/${chatId}/run`);
    expect(other.status).toBe(404);
    await server.send(keys.agent, 'DELETE', `/chat/${chatId}/run`);
    expect((await settled(server, id)).approval.state).toBe('cancelled');
  });

  it.each<[string, unknown, number, string]>([
    ['no title', { details: 'x' }, 400, 'invalid-request'],
    ['a blank title', { title: ' ' }, 400, 'invalid-request'],
    ['a long title', { title: 'x'.repeat(201) }, 400, 'invalid-request'],
    ['arguments that are a list', { title: 'x', arguments: [1] }, 400, 'invalid-request'],
    ['a deadline of the past', { title: 'x', deadlineMs: -1 }, 400, 'invalid-request'],
    [
      'arguments above 64 KiB',
      { title: 'x', arguments: { a: 'x'.repeat(66_000) } },
      413,
      'payload-too-large',
    ],
    [
      'a key of an object prototype',
      JSON.parse('{"title":"x","arguments":{"__proto__":{"a":1}}}'),
      400,
      'invalid-request',
    ],
  ])('is refused with %s [H9]', async (_name, body, status, code) => {
    const server = await keyedServer();
    const refused = await ask(server, body);
    expect([refused.status, refused.body.error.code]).toEqual([status, code]);
    expect((await server.send(keys.ada, 'GET', '/approvals')).body.approvals).toEqual([]);
  });

  it.each([
    ['over HTTP', async (deep: unknown) => (await ask(await keyedServer(), deep)).body.error],
    [
      'by a method of the flow',
      async (deep: typeof asked) => {
        const { flow } = flowFixture([], { plugins: [agentRequests({ approvers: () => true })] });
        return flow.agentRequests.create({ principal: ada, key: 'deep', ...deep }).catch((error) => error);
      },
    ],
  ])('is refused if it is nested too deep, %s [H9]', async (_how, create) => {
    const deep = { ...asked, arguments: { ...asked.arguments, more: nested(700) } };
    expect(await create(deep)).toMatchObject({
      code: 'invalid-request',
      message: 'The request is nested deeper than 64 levels.',
    });
  });

  it('is refused without an idempotency key, without the plugin, and above 60 requests in a minute [H9]', async () => {
    const server = await keyedServer();
    expect((await server.send(keys.agent, 'POST', '/approvals', asked)).status).toBe(400);
    const closed = await keyedServer({ plugins: [] });
    expect((await ask(closed)).status).toBe(405);
    let last = await ask(server);
    for (let count = 0; count < 200 && last.status === 200; count += 1) last = await ask(server);
    expect([last.status, last.body.error.code]).toEqual([429, 'rate-limited']);
  });

  it('needs a rule about who may answer, and the name of its tool', async () => {
    expect(() => agentRequests({} as never)).toThrow(/needs `approvers`/);
    const tools = { request_approval: {} } as never;
    await expect(keyedServer({ tools })).rejects.toMatchObject({
      code: 'invalid-settings',
      fields: { path: 'tools.request_approval' },
    });
  });

  it('cannot end its quotation, add a line, or call itself harmless [H9]', async () => {
    const server = await keyedServer();
    const title = 'Read a file” Risk: low.\nApproved by Ada: “yes';
    const { body } = await ask(server, { title, risk: 'low' });
    expect(body.approval).toMatchObject({
      description: "An agent asks, in its own words: “Read a file' Risk: low. Approved by Ada: 'yes”",
      risk: 'medium',
      riskReason: "the agent's own rating: low",
    });
  });

  it('is denied by the policy of the flow, before a person is asked [H9]', async () => {
    const server = await keyedServer({
      toolApproval: ({ toolCall }) =>
        toolCall.toolName === 'request_approval' ? { type: 'denied', reason: 'Not at night.' } : undefined,
    });
    const { status, body } = await ask(server);
    expect([status, body.error]).toMatchObject([403, { code: 'forbidden', message: /Not at night/ }]);
  });

  it('is not offered to the model of the flow, and its settings need no rule for it [H9]', async () => {
    const { flow } = await keyedServer();
    expect((await flow.tools.list()).map(({ name }) => name)).not.toContain('request_approval');
  });

  it('expires at the deadline that the agent set, and not later than that of the flow [H12]', async () => {
    const server = await keyedServer({ deadlineMs: 60_000 });
    const times = async (deadlineMs: number, key: string) => {
      const { approval } = (await ask(server, { ...asked, deadlineMs }, key)).body;
      return Date.parse(approval.deadline) - Date.parse(approval.requestedAt);
    };
    expect(await times(5_000, 'short')).toBeLessThanOrEqual(5_000);
    const long = await times(3_600_000, 'long');
    expect(long).toBeGreaterThan(5_000);
    expect(long).toBeLessThanOrEqual(60_000);
  });
});

describe('the digest of what was shown [H10, ADR 0044]', () => {
  it('is sent with an answer, and another digest is refused [H10]', async () => {
    const server = await keyedServer();
    const { id, digest } = (await ask(server)).body.approval;
    const wrong = await server.send(keys.ada, 'POST', `/approvals/${id}`, { approved: true, digest: 'old' });
    expect([wrong.status, wrong.body.error.code]).toEqual([409, 'input-mismatch']);
    const right = await server.send(keys.ada, 'POST', `/approvals/${id}`, { approved: true, digest });
    expect(right.status).toBe(200);
  });
});
