import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { closeCountersign, countersign } from '../../app/_server/countersign.ts';
import { readSettings } from '../../app/_server/settings.ts';
import { type Served, serve } from '../../lib/testing/server/serve.ts';
import { appRoutes, dispatch } from '../support/app-routes.ts';

const key = 'a-key-of-the-program-1';
let folder: string;
let server: Served;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-limits-'));
  vi.stubEnv('COUNTERSIGN_DATA', folder);
  vi.stubEnv('COUNTERSIGN_API_KEYS', `ci:${key}`);
  vi.stubEnv('COUNTERSIGN_RATE_LIMIT', '0');
  vi.stubEnv('COUNTERSIGN_MAX_FEEDS', '2');
  vi.stubEnv('COUNTERSIGN_MAX_REQUESTS', '2');
  vi.stubEnv('COUNTERSIGN_DEMO_DELAY_MS', '60000');
  const { identity } = await countersign();
  server = await serve({ before: identity.stampPeer, fetch: dispatch(await appRoutes()) });
});

afterAll(async () => {
  await server.close();
  await closeCountersign();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

async function open(path: string, headers: Record<string, string> = {}, body?: object) {
  const left = new AbortController();
  onTestFinished(() => left.abort());
  const response = await fetch(`${server.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
    signal: left.signal,
  });
  return { status: response.status, retryAfter: response.headers.get('retry-after'), response };
}

it('limits the local user like any other user, even when the rate limit is off', async () => {
  expect((await open('/api/approvals/events')).status).toBe(200);
  expect((await open('/api/approvals/events')).status).toBe(200);
  const refused = await open('/api/approvals/events');
  expect(refused).toMatchObject({ status: 429, retryAfter: '1' });
  expect(await refused.response.json()).toEqual({
    error: {
      code: 'rate-limited',
      message: '2 of your feeds are open. Close one, then try again.',
      retryAfterMs: 1_000,
    },
  });
});

it('limits an API key like any other user, across all of its endpoints', async () => {
  const headers = { authorization: `Bearer ${key}` };
  const input = 'What is the weather in Tokyo?';
  expect((await open('/v1/responses', headers, { input, stream: true })).status).toBe(200);
  expect((await open('/api/dialects/tool-events', headers, { message: input })).status).toBe(200);
  const refused = await open('/v1/responses', headers, { input, stream: true });
  expect(refused).toMatchObject({ status: 429, retryAfter: '1' });
  expect(await refused.response.json()).toMatchObject({ error: { type: 'rate_limit_error' } });
  expect((await open('/api/chat')).status).toBe(200);
});

it.each(['COUNTERSIGN_MAX_FEEDS', 'COUNTERSIGN_MAX_SOCKETS', 'COUNTERSIGN_MAX_REQUESTS'])(
  '%s must be a whole number of at least 1, so no value lifts the limit',
  (name) => {
    const settings = (value: string) => readSettings({ COUNTERSIGN_DATA: folder, [name]: value });
    for (const wrong of ['0', '-1', '1.5', 'off', 'Infinity']) expect(() => settings(wrong)).toThrow(name);
    expect(Object.values(settings('').concurrency)).toEqual([100, 100, 100]);
    expect(Object.values(settings('7').concurrency)).toContain(7);
  },
);

it('COUNTERSIGN_RELEASE takes the three release modes, and refuses other values at start [H-Configuration]', () => {
  const settings = (value?: string) =>
    readSettings({ COUNTERSIGN_DATA: folder, COUNTERSIGN_RELEASE: value }).release;
  expect(['final', 'progressive', 'hold-after-question'].map(settings)).toEqual([
    ...['final', 'progressive', 'hold-after-question'],
  ]);
  expect([settings(), settings('')]).toEqual(['final', 'final']);
  expect(() => settings('hold')).toThrow('COUNTERSIGN_RELEASE is "hold"');
});
