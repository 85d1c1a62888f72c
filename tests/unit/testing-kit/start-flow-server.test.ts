import { createApprovalFlow } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { readResponse, scriptedModel, startFlowServer } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { countingTools } from '../../support/flow-fixture.ts';

const question = [{ call: 'pay', input: { to: 'alice', amount: 1 } }];
const json = { 'content-type': 'application/json' };

function say(api: string) {
  const message = { id: 'user-1', role: 'user', parts: [{ type: 'text', text: 'Pay.' }] };
  return fetch(api, { method: 'POST', headers: json, body: JSON.stringify({ id: 'chat', message }) });
}

describe('startFlowServer', () => {
  it('creates a flow, serves its chat, chats and approvals, and closes it', async () => {
    const { tools, ran } = countingTools();
    const server = await startFlowServer({ model: scriptedModel([question, [{ text: 'Paid.' }]]), tools });
    expect(server.api).toBe(`${server.url}/api/chat`);
    expect(server.socket).toMatch(/^ws:.*\/api\/chat\/socket$/);

    expect((await readResponse(await say(server.api))).at(-1)).toEqual({
      type: 'finish',
      finishReason: 'tool-calls',
    });
    const { approvals } = await (await fetch(`${server.url}/api/approvals?state=open`)).json();
    expect(approvals).toHaveLength(1);
    const answered = await fetch(`${server.url}/api/approvals/${approvals[0].id}`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ approved: true }),
    });
    expect(answered.status).toBe(200);
    await expect.poll(() => ran, { interval: 5 }).toHaveLength(1);
    const { chats } = await (await fetch(server.api)).json();
    expect(chats).toHaveLength(1);
    expect((await fetch(`${server.api}/chat/timeline`)).status).toBe(200);
    expect((await fetch(`${server.url}/elsewhere`)).status).toBe(404);
    expect((await fetch(server.api, { method: 'PUT', headers: json })).status).toBe(405);

    await server.close();
    await expect(fetch(server.api)).rejects.toThrow();
    await expect(
      server.flow.chats.read({ chatId: 'chat' as never, principal: { id: 'tester', name: '' } }),
    ).rejects.toThrow();
  });

  it('serves a given flow with the given authorization, and leaves the flow open', async () => {
    const store = sqliteStore({ path: ':memory:' });
    const flow = createApprovalFlow({ store, model: scriptedModel([[{ text: 'Hello.' }]]) });
    const server = await startFlowServer({
      flow,
      authorize: (request) => (request.headers.has('x-ada') ? { id: 'ada', name: 'Ada' } : null),
    });
    expect((await say(server.api)).status).toBe(401);
    await server.close();
    expect(await flow.chats.list({ principal: { id: 'ada', name: 'Ada' } })).toEqual({ items: [] });
    await flow.close();
    await store.close();
  });
});
