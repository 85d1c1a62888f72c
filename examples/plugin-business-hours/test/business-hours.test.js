import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tool } from 'ai';
import { createApprovalFlow } from 'countersign';
import { createFetchHandler } from 'countersign/sse/server';
import { sqliteStore } from 'countersign/store';
import { fakeClock, scriptedModel } from 'countersign/testing';
import { z } from 'zod';
import { businessHours } from '../business-hours.js';
import { businessHoursCard } from '../business-hours-card.js';

const ada = { id: 'ada', name: 'Ada' };
const night = Date.parse('2030-01-01T22:00:00Z');

/** A flow at ten in the evening, with an open question. */
async function atNight(t) {
  const ran = [];
  const clock = fakeClock(night);
  const store = sqliteStore({ path: ':memory:' });
  const flow = createApprovalFlow({
    store,
    clock,
    model: scriptedModel([[{ call: 'pay', input: { amount: 30 } }], [{ text: 'Paid.' }]]),
    tools: {
      pay: tool({
        inputSchema: z.object({ amount: z.number() }),
        needsApproval: true,
        execute: (input) => {
          ran.push(input);
          return 'done';
        },
      }),
    },
    mayOperate: ({ id }) => id === 'ada',
    plugins: [businessHours({ opens: 9, closes: 17 })],
  });
  t.after(async () => {
    await flow.close();
    await store.close();
  });
  const handler = createFetchHandler(flow, { authorize: () => ada });
  const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Pay.' }] };
  const send = (method, path, body) =>
    handler(
      new Request(`http://localhost/api${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
  await (await send('POST', '/chat', { id: 'chat', message })).text();
  const read = async () => (await (await send('GET', '/approvals')).json()).approvals[0];
  return { clock, flow, ran, read, send };
}

test('a question waits for business hours, and says until when', async (t) => {
  const { clock, flow, ran, read, send } = await atNight(t);
  const asked = await read();
  const wording = {
    moment: (at) => at,
    text: String,
    person: ({ name }) => name,
    answerer: ({ by }) => by.name,
  };
  const lines = () => businessHoursCard().lines(asked, wording);
  assert.deepEqual(lines(), ['Can be approved from 2030-01-02T09:00:00.000Z.']);
  assert.deepEqual(await (await send('GET', '/business-hours')).json(), { waiting: 1 });

  const refused = await send('POST', `/approvals/${asked.id}`, { approved: true });
  assert.equal(refused.status, 409);
  assert.match((await refused.json()).error.message, /approved from 2030-01-02T09:00/);
  assert.deepEqual(ran, []);

  clock.advance(11 * 3_600_000);
  await flow.recover();
  assert.deepEqual((await read()).plugins, { 'business-hours': {} });
  assert.deepEqual(await flow['business-hours'].waiting({ principal: ada }), { waiting: 0 });
  assert.equal((await send('POST', `/approvals/${asked.id}`, { approved: true })).status, 200);
});

test('a question can be denied at any time', async (t) => {
  const { ran, read, send } = await atNight(t);
  const { id } = await read();
  assert.equal((await send('POST', `/approvals/${id}`, { approved: false })).status, 200);
  assert.deepEqual(ran, []);
});

test('hours that never open are refused', () => {
  assert.throws(() => businessHours({ opens: 17, closes: 9 }), { code: 'invalid-settings' });
});

test('only operators see how many questions wait', async (t) => {
  const { flow } = await atNight(t);
  const ben = { id: 'ben', name: 'Ben' };
  await assert.rejects(flow['business-hours'].waiting({ principal: ben }), { code: 'forbidden' });
});
