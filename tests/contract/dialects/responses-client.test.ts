import { openRequest, ResponsesClient } from 'countersign/plugins/responses/client';
import { collect } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { ada } from '../../support/flow-fixture.ts';
import { perTurn } from '../../support/per-turn.ts';
import { responsesGateway } from '../../support/responses-gateway.ts';

const payment = perTurn([
  [{ text: 'Let me see.' }, { call: 'pay', input: { to: 'Al', amount: 1 } }],
  [{ text: 'Paid.' }],
]);

async function connected(script: Parameters<typeof responsesGateway>[0], fetch?: typeof globalThis.fetch) {
  const gateway = await responsesGateway(script);
  const client = new ResponsesClient({
    url: gateway.baseURL.replace(/\/v1$/, ''),
    headers: () => ({ authorization: 'Bearer ada' }),
    ...(fetch && { fetch }),
  });
  return { gateway, client };
}

const textsOf = ({ state }: ResponsesClient) => [...state.texts.values()];

describe('the client class of the Responses dialect', () => {
  it('sends, is asked, answers, and goes on [ADR 0014]', async () => {
    const { gateway, client } = await connected(payment);
    let changes = 0;
    const stop = client.subscribe(() => {
      changes += 1;
    });
    await client.connect();
    const events = await collect(client.send('Pay Al.'));
    expect(events.at(-1)?.type).toBe('response.completed');
    const asked = openRequest(client.state);
    if (!asked) throw new Error('Nothing was asked.');
    expect(asked).toMatchObject({ name: 'pay', arguments: '{"to":"Al","amount":1}' });
    await collect(client.answer({ approvalId: asked.id, approved: true }));
    expect(gateway.ran).toHaveLength(1);
    expect(openRequest(client.state)).toBeUndefined();
    expect(textsOf(client)).toEqual(['Let me see.', 'Paid.']);
    expect(client.connection).toBe('closed');
    expect(changes).toBeGreaterThan(events.length);
    stop();
    const { items } = await gateway.flow.chats.list({ principal: ada });
    expect(items).toHaveLength(1);
  });

  it('keeps its state also when nobody reads the events [ADR 0014]', async () => {
    const { client } = await connected([[{ text: 'Hello.' }]]);
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    client.subscribe(() => client.connection === 'closed' && resolve());
    client.send('Go.');
    await ended;
    expect(textsOf(client)).toEqual(['Hello.']);
  });

  it.each([
    { what: 'before its response', breaksAt: 0 },
    { what: 'in the middle of its stream', breaksAt: 700 },
  ])('restores a connection that breaks $what, and starts one turn [C17, ADR 0014]', async ({ breaksAt }) => {
    let broken = 0;
    const { gateway, client } = await connected(
      [[{ text: ['One. ', 'Two. ', 'Three.'] }]],
      async (input, init) => {
        const response = await fetch(input, init);
        if (broken > 0) return response;
        broken += 1;
        if (breaksAt === 0) throw new TypeError('The connection is lost.');
        return new Response(response.body?.pipeThrough(breakingAfter(breaksAt)));
      },
    );
    const states = new Set<string>();
    client.subscribe(() => states.add(client.connection));
    const events = await collect(client.send('Go.'));
    expect(broken).toBe(1);
    expect([...states]).toContain('reconnecting');
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(
      events.map((_event, index) => index),
    );
    expect(textsOf(client).join('')).toBe('One. Two. Three.');
    expect(gateway.model.calls).toHaveLength(1);
  });

  it('reads a response again by its id, as after a reload [ADR 0014]', async () => {
    const { gateway, client } = await connected([[{ text: 'Hello.' }]]);
    const events = await collect(client.send('Go.'));
    const other = new ResponsesClient({
      url: gateway.baseURL.replace(/\/v1$/, ''),
      headers: { authorization: 'Bearer ada' },
    });
    expect(await collect(other.resume(client.state.responseId))).toEqual(events);
    expect(other.state).toEqual(client.state);
  });

  it('executes functions of its own [ADR 0014]', async () => {
    const { client } = await connected(perTurn([[{ call: 'where' }], [{ text: 'In Oslo.' }]]));
    await collect(client.send('Where am I?', { tools: [{ type: 'function', name: 'where' }] }));
    const [call] = [...client.state.items.values()];
    if (call?.type !== 'function_call') throw new Error('No call was handed over.');
    await collect(client.sendOutput(call.call_id, 'Oslo'));
    expect(textsOf(client)).toEqual(['In Oslo.']);
  });

  it('reports a refusal with its code, status and field, and does not repeat it [C16]', async () => {
    const { client } = await connected([]);
    const refused = collect(client.send('Go.', { background: true }));
    await expect(refused).rejects.toMatchObject({
      name: 'ResponsesError',
      code: 'invalid-request',
      status: 400,
      param: 'background',
    });
    expect(client.connection).toBe('closed');
  });

  it('cancels the response that is running [ADR 0014]', async () => {
    const { client } = await connected([[{ text: 'Well,' }, { wait: new Promise(() => {}) }]]);
    const types: string[] = [];
    for await (const event of client.send('Go.')) {
      types.push(event.type);
      if (event.type === 'response.created') await client.cancel();
    }
    expect(types.at(-1)).toBe('response.incomplete');
  });
});

function breakingAfter(bytes: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let left = bytes;
  return new TransformStream({
    transform(chunk, controller) {
      if (left > 0) controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.error(new Error('The connection is lost.'));
    },
  });
}
