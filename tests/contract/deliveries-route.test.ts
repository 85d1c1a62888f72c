import type { Principal } from 'countersign';
import { subscriptions } from 'countersign/plugins/subscriptions';
import { fakeClock } from 'countersign/testing';
import { expect, it, onTestFinished } from 'vitest';
import { serveFlow } from '../../lib/testing/server/serve-flow.ts';
import { flowFixture } from '../support/flow-fixture.ts';
import { recordingSubscriber } from '../support/recording-subscriber.ts';
import { waitFor } from '../support/wait-for.ts';

const olga: Principal = { id: 'olga', name: 'Olga', role: 'operator' };
const logger = { warn: () => {}, error: () => {} };

it('lists dead deliveries for operators, in pages, and sends one again [0043.6]', async () => {
  const clock = fakeClock();
  const recorder = recordingSubscriber();
  recorder.fail('all', { failed: 'It is gone.', gone: true });
  const { flow, chat } = flowFixture(() => [{ call: 'pay', input: { to: 'alice', amount: 1 } }], {
    clock,
    logger,
    mayOperate: ({ role }) => role === 'operator',
    plugins: [subscriptions({ subscribers: [recorder.subscriber] })],
  });
  onTestFinished(() => flow.close());
  const { url, close } = await serveFlow(flow, {
    authorize: (request) => (request.headers.has('x-olga') ? olga : { id: 'eve', name: 'Eve' }),
  });
  onTestFinished(close);
  const path = `${url}/api/operations/deliveries`;
  const json = { 'content-type': 'application/json' };
  const headers = { ...json, 'x-olga': '1' };
  for (const id of ['one', 'two']) await chat(id).say('Pay.');
  const read = async (query = '') => (await fetch(`${path}${query}`, { headers })).json();
  const first = await waitFor(async () => {
    clock.advance(3_000);
    expect((await read()).deliveries).toHaveLength(2);
    return read('?limit=1');
  });
  expect(first.deliveries).toEqual([
    {
      subscriber: 'recorder',
      eventId: expect.stringMatching(/^evt_/),
      type: 'question.opened',
      chatId: expect.stringMatching(/^(one|two)$/),
      attempts: 1,
      failedAt: expect.stringMatching(/Z$/),
      deadAt: expect.stringMatching(/Z$/),
      error: 'It is gone.',
    },
  ]);
  const rest = await read(`?limit=1&cursor=${first.nextCursor}`);
  expect(rest.deliveries).toHaveLength(1);
  expect(rest.nextCursor).toBeUndefined();

  const send = (eventId: string, more: RequestInit = { headers }) =>
    fetch(`${path}/recorder/${eventId}`, { method: 'POST', ...more });
  const [{ eventId }] = first.deliveries;
  expect((await fetch(path)).status).toBe(404);
  expect((await send(eventId, { headers: json })).status).toBe(404);
  expect((await send('evt_unknown')).status).toBe(404);
  recorder.heal();
  expect((await send(eventId)).status).toBe(204);
  await waitFor(() => {
    clock.advance(3_000);
    expect(recorder.got.map(({ id }) => id)).toEqual([eventId]);
  });
  expect((await send(eventId)).status).toBe(404);
});
