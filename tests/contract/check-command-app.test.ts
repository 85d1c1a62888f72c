import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { closeCountersign, countersign } from '../../app/_server/countersign.ts';
import { handleUpgrade } from '../../app/_server/edge.ts';
import { type Served, serve } from '../../lib/testing/server/serve.ts';
import { appRoutes, dispatch } from '../support/app-routes.ts';
import { reportOf, rulesWith, unsound } from './check/run-check.ts';

// The reference app's own routes and sockets on a loopback port, with its scripted model and its book of payments.

let folder: string;
let server: Served;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-check-'));
  vi.stubEnv('COUNTERSIGN_DATA', folder);
  vi.stubEnv('COUNTERSIGN_DEMO_DELAY_MS', '0');
  for (const name of ['HOST', 'DATABASE_URL', 'OPENAI_API_KEY', 'COUNTERSIGN_SECRET']) vi.stubEnv(name, '');
  const { identity } = await countersign();
  const fetch = dispatch(await appRoutes());
  server = await serve({ fetch, upgrade: handleUpgrade, before: identity.stampPeer });
});

afterAll(async () => {
  await server?.close();
  await closeCountersign();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

it('countersign check passes for the reference app on both wires, and reads the app’s payments', async () => {
  const report = await reportOf([
    `${server.url}/api/chat`,
    '--bidi',
    `${server.url.replace('http:', 'ws:')}/api/chat/socket`,
  ]);
  expect(unsound(report)).toEqual([]);
  expect(report).toMatchObject({ code: 0, complete: true });
  for (const wire of ['SSE', 'BIDI'] as const) {
    expect(rulesWith(report, 'not-observed', wire)).toEqual(['T11', 'T13', 'T14', 'T16']);
  }
  const repeated = report.findings.filter(({ title }) => title === 'an answer sent twice runs nothing more');
  expect(repeated.map(({ note }) => note)).toEqual(['no payment was made', 'no payment was made']);
});
