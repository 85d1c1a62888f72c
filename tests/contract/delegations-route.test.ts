import type { Principal } from 'countersign';
import { delegation } from 'countersign/plugins/delegation';
import { expect, it, onTestFinished } from 'vitest';
import { serveFlow } from '../../lib/testing/server/serve-flow.ts';
import { ada, ben, cleo, dan, delegating, hour } from '../support/delegation-fixture.ts';
import { runApprovals } from '../support/fake-terminal.ts';
import { askedBy, keyedServer, keys } from '../support/keyed-server.ts';

const everybody: Readonly<Record<string, Principal>> = { ada, ben, cleo, dan };
const json = { 'content-type': 'application/json' };

/** The endpoints, with the person who makes a request in a header. */
async function served() {
  const flow = delegating();
  const { url, close } = await serveFlow(flow.flow, {
    authorize: (request) => everybody[request.headers.get('x-user') ?? ''] ?? null,
    logger: { warn: () => {}, error: () => {} },
  });
  onTestFinished(close);
  const send = async (user: string, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: { ...json, 'x-user': user },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const until = new Date(flow.clock.now() + hour).toISOString();
  return { ...flow, url, send, until };
}

it('delegates, lists, and revokes, and names both people in the answer', async () => {
  const { asked, send, until } = await served();
  const id = await asked();
  const made = await send('ben', 'POST', '/delegations', {
    to: 'cleo',
    until,
    toolNames: ['pay'],
    note: 'Away.',
  });
  expect(made).toMatchObject({
    status: 201,
    body: {
      delegation: {
        from: { id: 'ben', name: 'Ben' },
        to: { id: 'cleo', name: 'Cleo' },
        until,
        note: 'Away.',
      },
    },
  });
  const { delegation } = made.body;
  expect((await send('cleo', 'GET', '/delegations')).body).toMatchObject({
    given: [],
    received: [delegation],
  });
  expect((await send('dan', 'GET', '/delegations')).body).toMatchObject({ given: [], received: [] });
  expect((await send('cleo', 'GET', '/approvals')).body.approvals).toMatchObject([
    { id, mayAnswer: true, onBehalfOf: { id: 'ben', name: 'Ben' } },
  ]);
  const path = `/delegations/${delegation.id}`;
  expect((await send('dan', 'DELETE', path)).status).toBe(404);
  expect((await send('ben', 'DELETE', '/delegations/dlg_forged')).status).toBe(404);
  const answered = await send('cleo', 'POST', `/approvals/${id}`, { approved: true });
  expect(answered.body.approval.answer).toMatchObject({
    by: { id: 'cleo' },
    onBehalfOf: { id: 'ben', name: 'Ben' },
  });
  const again = await send('ben', 'POST', `/approvals/${id}`, { approved: false });
  expect(again.body.error).toMatchObject({
    code: 'already-answered',
    answer: { by: { id: 'cleo' }, onBehalfOf: { id: 'ben' } },
  });
  expect((await send('ben', 'DELETE', path)).status).toBe(204);
  expect((await send('ben', 'DELETE', path)).status).toBe(404);
  expect((await send('cleo', 'GET', '/approvals')).body.approvals).toEqual([]);
});

it.each([
  ['nothing', undefined],
  ['no person', { until: '2030-01-01T00:30:00Z' }],
  ['no time', { to: 'cleo' }],
  ['a time without a zone', { to: 'cleo', until: '2030-01-01T00:30:00' }],
  ['a time in the past', { to: 'cleo', until: '2029-01-01T00:00:00Z' }],
  ['oneself', { to: 'ben', until: '2030-01-01T00:30:00Z' }],
  ['tools that are no list', { to: 'cleo', until: '2030-01-01T00:30:00Z', toolNames: 'pay' }],
  ['a note that is no text', { to: 'cleo', until: '2030-01-01T00:30:00Z', note: {} }],
])('refuses %s', async (_what, body) => {
  const { send } = await served();
  expect((await send('ben', 'POST', '/delegations', body ?? null)).status).toBe(400);
  expect((await send('ben', 'GET', '/delegations')).body.given).toEqual([]);
});

it('finds people by name, sends only ids and names, and limits how often', async () => {
  const { send, known } = await served();
  known.set('cleo', { ...cleo, role: 'manager', sessionId: 'secret' });
  expect(await send('ben', 'GET', '/people?search=Cl')).toEqual({
    status: 200,
    body: { people: [{ id: 'cleo', name: 'Cleo' }] },
  });
  expect((await send('ben', 'GET', '/people')).status).toBe(400);
  const statuses = new Set<number>();
  for (let request = 0; request < 70; request += 1)
    statuses.add((await send('ben', 'GET', '/people?search=Cl')).status);
  expect([...statuses]).toEqual([200, 429]);
});

it('limits how often a person delegates and revokes, together', async () => {
  const { send, until } = await served();
  const statuses: number[] = [];
  for (let round = 0; round < 11; round += 1) {
    const { status, body } = await send('ben', 'POST', '/delegations', { to: 'cleo', until });
    statuses.push(status, (await send('ben', 'DELETE', `/delegations/${body.delegation?.id}`)).status);
  }
  expect(statuses.map((status) => (status === 429 ? 'limited' : 'changed'))).toEqual([
    ...Array.from({ length: 20 }, () => 'changed'),
    ...Array.from({ length: 2 }, () => 'limited'),
  ]);
  expect((await send('cleo', 'POST', '/delegations', { to: 'dan', until })).status).toBe(201);
});

it('names eligible people in the details of a question, and not in the list', async () => {
  const { asked, send, known } = await served();
  const id = await asked();
  known.set('ben', { ...ben, sessionId: 'secret' });
  const seenBy = async (user: string) => (await send(user, 'GET', `/approvals/${id}`)).body.approval;
  expect((await seenBy('ben')).plugins).toEqual({ delegation: { eligible: [{ id: 'ben', name: 'Ben' }] } });
  expect(await seenBy('ada')).not.toHaveProperty('plugins');
  expect(JSON.stringify((await send('ben', 'GET', '/approvals')).body)).not.toContain('eligible');
});

it('is shown by the command line, before and after the answer', async () => {
  const ids = { ada: { id: 'user:ada', name: 'Ada' }, ben: { id: 'user:ben', name: 'Ben' } };
  const server = await keyedServer({
    script: [[{ call: 'pay', input: { to: 'Alice', amount: 30 } }], [{ text: 'Paid.' }]],
    plugins: [
      delegation({
        people: ({ ids: wanted = [] }) => Object.values(ids).filter(({ id }) => wanted.includes(id)),
      }),
    ],
  });
  const { id } = await askedBy(server, keys.ada);
  const until = new Date(Date.now() + hour).toISOString();
  expect((await server.send(keys.ada, 'POST', '/delegations', { to: 'user:ben', until })).status).toBe(201);
  const before = await runApprovals(server, keys.ben, ['show', id]);
  expect(before.text).toMatch(/may answer: +you, for Ada \(user:ada\)/);
  await server.send(keys.ben, 'POST', `/approvals/${id}`, { approved: false });
  const after = await runApprovals(server, keys.ada, ['show', id]);
  expect(after.text).toContain('Denied by Ben (user:ben) for Ada (user:ada)');
  const late = await runApprovals(server, keys.ada, ['approve', id, '--yes']);
  expect([late.text, ...late.complained].join()).toContain('by Ben for Ada');
});
