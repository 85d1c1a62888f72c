import { glob } from 'node:fs/promises';
import { createFetchHandler } from 'countersign/sse/server';
import { describe, expect, it } from 'vitest';
import { asAda, fakeFlow } from './support/fake-flow.ts';

const handler = createFetchHandler(fakeFlow(), { authorize: asAda });
const request = (path: string, method = 'GET') => new Request(`http://localhost${path}`, { method });

/** Dialect B has handlers of its own below the chat API. */
const ofDialects = /^api\/chat\/(message|stream)\//;

/** The reference app's route files, which are written out one by one, as `path` and the methods they serve. */
async function appRoutes() {
  const routes: [path: string, methods: string][] = [];
  for await (const file of glob('api/{chat,approvals,remembered}/**/route.ts', { cwd: 'app' })) {
    if (ofDialects.test(file)) continue;
    const exported = Object.keys(await import(`../../app/${file}`)).filter((name) => /^[A-Z]+$/.test(name));
    // Next would answer preflight requests by itself.
    expect(exported).toContain('OPTIONS');
    routes.push([
      `/${file.replace('/route.ts', '').replaceAll(/\[(\w+)\]/g, 'x$1')}`,
      exported
        .filter((name) => name !== 'OPTIONS')
        .sort()
        .join(', '),
    ]);
  }
  return routes;
}

const routes = await appRoutes();

describe('createFetchHandler', () => {
  it.each(routes)('serves %s like the reference app: %s', async (path, methods) => {
    const refused = await handler(request(path, 'TRACE1'));
    expect(refused.status).toBe(405);
    expect(refused.headers.get('allow')?.split(', ').sort().join(', ')).toBe(methods);
  });

  it('passes a request to the endpoint of its path', async () => {
    const response = await handler(request('/api/chat/nobodys'));
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      error: { message: 'There is no such thing in this test.' },
    });
  });

  it.each(['/', '/api', '/api/', '/api/other', '/apichat', '/chat', '/api/chat/a/b/c', '/api/approvals/a/b'])(
    'answers 404 at %s',
    async (path) => {
      const response = await handler(request(path));
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: 'not-found' } });
    },
  );

  it.each(['constructor', '__proto__', 'toString'])(
    'ignores methods from a prototype: %s',
    async (method) => {
      expect((await handler(request('/api/chat', method))).status).toBe(405);
    },
  );

  it('can be mounted at another path', async () => {
    const elsewhere = createFetchHandler(fakeFlow(), { authorize: asAda, basePath: '/assistant' });
    expect((await elsewhere(request('/assistant/chat/x', 'TRACE1'))).status).toBe(405);
    expect((await elsewhere(request('/api/chat/x', 'TRACE1'))).status).toBe(404);
  });
});
