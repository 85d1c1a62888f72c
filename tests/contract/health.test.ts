import { sqliteStore } from 'countersign/store';
import { fakeClock } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFetchHandler } from '../../lib/sse/server.ts';
import { serve } from '../../lib/testing/server/serve.ts';
import { barrier } from '../support/barrier.ts';
import { flowFixture } from '../support/flow-fixture.ts';
import { sendRaw } from '../support/raw-request.ts';
import { serveAppRoutes } from '../support/serve-app-routes.ts';
import { tracedStore } from '../support/traced-store.ts';

const quiet = { warn: () => {}, error: () => {} };

/** A flow whose store answers a health check like this, served without anybody who may sign in. */
async function serving(query: () => Promise<unknown> = async () => 0) {
  const clock = fakeClock();
  const asked: string[] = [];
  const whole = sqliteStore({ path: ':memory:' });
  const store = tracedStore(whole, (method, call) => {
    asked.push(method);
    return method === 'questions.lastChange' ? query() : call();
  });
  const { flow } = flowFixture([], { store, clock, logger: quiet });
  const handler = createFetchHandler(flow, { authorize: () => null, logger: quiet });
  const { url, close } = await serve({ fetch: handler });
  onTestFinished(close);
  asked.length = 0;
  const get = (path: string, headers = {}) => sendRaw({ method: 'GET', url: `${url}${path}`, headers });
  return { get, flow, clock, asked };
}

const ok = { status: 200, text: '{"status":"ok"}' };
const unavailable = { status: 503, text: '{"status":"unavailable"}' };

describe('liveness', () => {
  it('is answered without the store, also for a probe that has no name for the host [H-Health]', async () => {
    const { get, asked } = await serving(() => Promise.reject(new Error('No database.')));
    const headers = { host: '10.0.3.7:3000' };
    const response = await get('/api/health/live', headers);
    expect(response).toMatchObject(ok);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(asked).toEqual([]);
  });

  it('is still given while the flow closes: a process that drains must not be killed [H-Health]', async () => {
    const { get, flow } = await serving();
    await flow.close();
    expect(await get('/api/health/live')).toMatchObject(ok);
  });
});

describe('readiness', () => {
  it('is one query to the store, without a sign-in [H-Health]', async () => {
    const { get, asked } = await serving();
    expect(await get('/api/health/ready', { host: '10.0.3.7:3000' })).toMatchObject(ok);
    expect(asked).toEqual(['questions.lastChange']);
  });

  it('is refused if the store fails, without details [H-Health]', async () => {
    const { get } = await serving(() => Promise.reject(new Error('password authentication failed')));
    expect(await get('/api/health/ready')).toMatchObject(unavailable);
  });

  it('is refused after two seconds if the store does not answer, and asks it only once meanwhile [H-Health]', async () => {
    const { wait, lift } = barrier();
    const { get, flow, clock, asked } = await serving(() => wait);
    const probe = get('/api/health/ready');
    await expect.poll(() => asked).toHaveLength(1);
    const others = [flow.isReady(), flow.isReady()];
    clock.advance(2_000);
    expect(await Promise.all(others)).toEqual([false, false]);
    expect(await probe).toMatchObject(unavailable);
    expect(asked).toEqual(['questions.lastChange']);
    lift();
    await expect.poll(async () => (await get('/api/health/ready')).status).toBe(200);
  });

  it('returns with the next probe if a query to the store never ends [H-Health]', async () => {
    const never = new Promise(() => {});
    const queries: Promise<unknown>[] = [never, never];
    const { get, clock } = await serving(() => queries.shift() ?? Promise.resolve(0));
    for (const left of [1, 0]) {
      const probe = get('/api/health/ready');
      await expect.poll(() => queries).toHaveLength(left);
      clock.advance(2_000);
      expect(await probe).toMatchObject(unavailable);
    }
    expect(await get('/api/health/ready')).toMatchObject(ok);
  });

  it('ends when the flow begins to close [H-Health]', async () => {
    const { get, flow, asked } = await serving();
    const closing = flow.close();
    expect(await get('/api/health/ready')).toMatchObject(unavailable);
    await closing;
    expect(asked).not.toContain('questions.lastChange');
  });
});

it('the reference app answers both probes [H-Health]', async () => {
  const { send } = await serveAppRoutes();
  expect(await send('GET', '/api/health/live')).toMatchObject(ok);
  expect(await send('GET', '/api/health/ready')).toMatchObject(ok);
});
