// depends on: app/api app/v1
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../app/_server/settings.ts';
import { handshake } from '../support/handshake.ts';
import { serveAppRoutes } from '../support/serve-app-routes.ts';

const root = join(import.meta.dirname, '../..');
const page = 'https://app.example.com';
const allowed = { COUNTERSIGN_ALLOWED_ORIGINS: `${page}, http://localhost:5173` };

/** Routes that are for the app's own pages: the demo's login, its table and its links; and the one that only Slack calls. */
const own = ['session', 'demo/payments', 'demo/answer-links', 'slack/interactions'].map(
  (path) => `app/api/${path}/route.ts`,
);

describe('COUNTERSIGN_ALLOWED_ORIGINS', () => {
  it('lets pages of these origins send preflights to every endpoint, and read responses [H-Identity]', async () => {
    const { send } = await serveAppRoutes(allowed);
    const files = globSync('app/{api,v1}/**/route.ts', { cwd: root }).filter((file) => !own.includes(file));
    expect(files).toContain('app/api/[...path]/route.ts');
    const headers = { origin: page, 'access-control-request-method': 'POST' };
    for (const file of files) {
      const { OPTIONS } = await import(join(root, file));
      const asked = await OPTIONS(new Request('http://127.0.0.1/api', { method: 'OPTIONS', headers }));
      expect([file, asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([
        file,
        204,
        page,
      ]);
    }
    const read = await send('GET', '/api/chat', { origin: page });
    expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([200, page]);
    const foreign = await send('GET', '/api/chat', { origin: 'https://evil.example.com' });
    expect(foreign.status).toBe(403);
  });

  it('lets them open sockets [H-Identity]', async () => {
    const { url } = await serveAppRoutes(allowed);
    for (const path of ['/api/chat/socket', '/api/dialects/chat-socket']) {
      expect(await handshake(url, path, { Origin: page })).toBe(101);
      expect(await handshake(url, path, { Origin: 'https://evil.example.com' })).toBe(403);
    }
  });

  it('allows no other origin by default [H-Configuration]', async () => {
    const { send } = await serveAppRoutes();
    expect((await send('GET', '/api/chat', { origin: page })).status).toBe(403);
  });

  it.each([
    'https://app.example.com/',
    '*',
    'https://*.example.com',
    'app.example.com',
    'https://APP.example.com',
  ])('refuses %s at startup, by name [H-Configuration]', (origin) => {
    const environment = { COUNTERSIGN_ALLOWED_ORIGINS: origin, COUNTERSIGN_SECRET: 'a secret' };
    expect(() => readSettings(environment)).toThrow(/COUNTERSIGN_ALLOWED_ORIGINS/);
  });
});
