import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { webhooks } from '../../app/_channels/webhooks.ts';
import { closeCountersign, countersign } from '../../app/_server/countersign.ts';
import { readSettings } from '../../app/_server/settings.ts';
import { type Served, serve } from '../../lib/testing/server/serve.ts';
import { appRoutes, dispatch } from '../support/app-routes.ts';
import { isGenuine } from '../support/standard-webhook.ts';
import { waitFor } from '../support/wait-for.ts';

const key = 'a-key-of-the-program-1';
const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const received: { headers: Record<string, string>; body: string }[] = [];
let folder: string;
let server: Served;
let receiver: Served;

beforeAll(async () => {
  receiver = await serve({
    fetch: async (request) => {
      received.push({ headers: Object.fromEntries(request.headers), body: await request.text() });
      return new Response();
    },
  });
  folder = mkdtempSync(join(tmpdir(), 'countersign-webhook-'));
  vi.stubEnv('COUNTERSIGN_DATA', folder);
  vi.stubEnv('COUNTERSIGN_API_KEYS', `ci:${key}`);
  vi.stubEnv('COUNTERSIGN_DEMO_DELAY_MS', '0');
  vi.stubEnv('COUNTERSIGN_WEBHOOK_URL', `${receiver.url}/hooks`);
  vi.stubEnv('COUNTERSIGN_WEBHOOK_SECRET', secret);
  vi.stubEnv('COUNTERSIGN_WEBHOOK_PRIVATE', 'on');
  vi.stubEnv('COUNTERSIGN_URL', 'https://app.example');
  const { identity } = await countersign();
  server = await serve({ before: identity.stampPeer, fetch: dispatch(await appRoutes()) });
});

afterAll(async () => {
  await server.close();
  await closeCountersign();
  await receiver.close();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

it('the reference app sends a question to its webhook, signed and with links [H-Configuration]', async () => {
  const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Pay Alice 30' }] };
  const response = await fetch(`${server.url}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ id: 'paid', message, trigger: 'submit-message' }),
  });
  expect(response.status).toBe(200);
  await response.text();
  await waitFor(() => expect(received).toHaveLength(1));
  const [first] = received;
  expect(first && isGenuine(secret, first)).toBe(true);
  expect(JSON.parse(first?.body ?? '')).toMatchObject({
    type: 'question.opened',
    data: { question: { chatId: 'paid' }, links: { inbox: 'https://app.example/inbox' } },
  });
});

it('the reference app refuses to start with half of a webhook [H-Configuration]', () => {
  const whole = { COUNTERSIGN_SECRET: 'x', COUNTERSIGN_WEBHOOK_URL: 'https://hooks.example' };
  expect(() => readSettings(whole)).toThrow(/COUNTERSIGN_WEBHOOK_SECRET/);
  expect(readSettings({ COUNTERSIGN_SECRET: 'x' }).channels.has(webhooks)).toBe(false);
});
