import type { FlowPlugin } from 'countersign/plugin';
import { createFetchHandler } from 'countersign/sse/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allEndpoints } from '../../lib/sse/fetch-handler.ts';
import { flowFixture } from '../support/flow-fixture.ts';
import { asAda, fakeFlow } from './support/fake-flow.ts';

const handler = createFetchHandler(fakeFlow(), { authorize: asAda });
const request = (path: string, method = 'GET') => new Request(`http://localhost${path}`, { method });

describe('createFetchHandler', () => {
  it('serves each endpoint of the flow, and no other method', async () => {
    for (const { path, methods } of allEndpoints(fakeFlow(), { authorize: asAda })) {
      const refused = await handler(request(`/api${path.replaceAll(/\{\w+\}/g, 'x')}`, 'TRACE1'));
      const allowed = refused.headers.get('allow')?.split(', ') ?? [];
      expect([path, refused.status, Object.keys(methods).filter((one) => !allowed.includes(one))]).toEqual([
        path,
        405,
        [],
      ]);
    }
  });

  it('serves the endpoints of plugins, and only of those that the flow has', async () => {
    const answer = async () => Response.json({ open: true });
    const plugin = (path: string): FlowPlugin => ({
      name: path,
      setUp: () => ({ methods: {}, endpoints: (route) => [{ path, methods: { GET: route(answer) } }] }),
    });
    const withPlugins = (...plugins: FlowPlugin[]) => {
      const flow = flowFixture([], { plugins }).flow;
      onTestFinished(() => flow.close());
      return createFetchHandler(flow, { authorize: asAda });
    };
    const served = withPlugins(plugin('/office-hours'));
    expect(await (await served(request('/api/office-hours'))).json()).toEqual({ open: true });
    expect((await withPlugins()(request('/api/office-hours'))).status).toBe(404);
    expect(() => withPlugins(plugin('/approvals'))).toThrow('GET /approvals');
  });

  it('answers HEAD without a body', async () => {
    const flow = fakeFlow({ approvals: { list: async () => ({ items: [] }) } });
    const served = createFetchHandler(flow, { authorize: asAda });
    const response = await served(request('/api/approvals', 'HEAD'));
    expect([response.status, await response.text()]).toEqual([200, '']);
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
