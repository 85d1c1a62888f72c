import { describe, expect, it } from 'vitest';
import {
  errorBodySchema,
  responseSchema,
} from '../../../lib/plugins/responses/client/schema/response-schema.ts';
import { chatOfId } from '../../../lib/plugins/responses/ids.ts';
import { barrier } from '../../support/barrier.ts';
import { ada } from '../../support/flow-fixture.ts';
import { perTurn } from '../../support/per-turn.ts';
import { readResponsesFrames } from '../../support/responses-frames.ts';
import { responsesGateway } from '../../support/responses-gateway.ts';

type Gateway = Awaited<ReturnType<typeof responsesGateway>>;

const payment = perTurn([
  [
    { text: 'Let me see.' },
    { call: 'weather', input: { city: 'Oslo' } },
    { call: 'pay', input: { to: 'Al', amount: 1 } },
  ],
  [{ text: 'Paid.' }],
]);

function send({ baseURL }: Gateway, path: string, { method = 'GET', user = 'ada', body = '' } = {}) {
  const headers = { authorization: `Bearer ${user}`, ...(body && { 'content-type': 'application/json' }) };
  return fetch(`${baseURL}${path}`, { method, headers, ...(body && { body }) });
}

async function askedAndAnswered(gateway: Gateway) {
  const asked = await readResponsesFrames(
    await gateway.post({
      model: 'mine',
      input: 'Pay Al.',
      metadata: { a: 'b' },
      instructions: 'Be brief.',
      stream: true,
    }),
  );
  const first = endOf(asked);
  const answer = {
    type: 'mcp_approval_response',
    approval_request_id: first.output.at(-1)?.id,
    approve: true,
  };
  const answered = await readResponsesFrames(
    await gateway.post({ model: 'mine', previous_response_id: first.id, input: [answer], stream: true }),
  );
  return { asked, first, answered, second: endOf(answered) };
}

function endOf({ events }: Awaited<ReturnType<typeof readResponsesFrames>>) {
  const last = events.at(-1);
  if (last?.type !== 'response.completed') throw new Error('The response did not complete.');
  return last.response;
}

describe('a response that is read back', () => {
  it('has everything that its request received, as JSON and as a stream [ADR 0014]', async () => {
    const gateway = await responsesGateway(payment);
    const { asked, first, answered, second } = await askedAndAnswered(gateway);
    expect(await (await send(gateway, `/responses/${first.id}`)).json()).toEqual(first);
    const { frames } = await readResponsesFrames(await send(gateway, `/responses/${first.id}?stream=true`));
    expect(frames).toEqual(asked.frames);

    const read = responseSchema.parse(await (await send(gateway, `/responses/${second.id}`)).json());
    expect(read).toEqual({ ...second, metadata: first.metadata, instructions: first.instructions });
    expect(read.previous_response_id).toBe(first.id);
    const again = await readResponsesFrames(await send(gateway, `/responses/${second.id}?stream=true`));
    expect(again.events).toHaveLength(answered.events.length);
  });

  it('is streamed from a place on, and followed until it ends [ADR 0014]', async () => {
    const held = barrier();
    const gateway = await responsesGateway([[{ text: 'One. ' }, { wait: held.wait }, { text: 'Two.' }]]);
    const posted = await gateway.post({ input: 'Go.', stream: true });
    const [id, live] = await withId(posted);
    const open = responseSchema.parse(await (await send(gateway, `/responses/${id}`)).json());
    expect(open).toMatchObject({ status: 'in_progress', usage: null });
    const following = await send(gateway, `/responses/${id}?stream=true&starting_after=1`);
    held.lift();
    const all = await readResponsesFrames(await live);
    const { frames, events } = await readResponsesFrames(following);
    expect(events[0]?.sequence_number).toBe(2);
    expect(frames).toEqual(all.frames.slice(2));
  });

  it('is followed by a second reader at the very end: only the last frame is left [ADR 0014]', async () => {
    const gateway = await responsesGateway(payment);
    const { first } = await askedAndAnswered(gateway);
    const { frames } = await readResponsesFrames(
      await send(gateway, `/responses/${first.id}?stream=true&starting_after=900`),
    );
    expect(frames).toEqual(['data: [DONE]']);
  });

  it('adds to its items what `include` names [ADR 0014]', async () => {
    const gateway = await responsesGateway(
      perTurn([[{ call: 'file_search', input: { query: 'x' } }], [{ text: 'Found.' }]]),
    );
    const { id } = await (await gateway.post({ input: 'Go.' })).json();
    for (const query of ['include=file_search_call.results', 'include[]=file_search_call.results']) {
      const read = await (await send(gateway, `/responses/${id}?${query}`)).json();
      expect(read.output[0].results).toHaveLength(1);
    }
    const refused = await send(gateway, `/responses/${id}?include=everything`);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: { param: 'include' } });
  });

  it('is not found with another user’s key, under an unknown id, and with `store: false` [ADR 0014]', async () => {
    const gateway = await responsesGateway(payment);
    const { first } = await askedAndAnswered(gateway);
    const unstored = await (await gateway.post({ input: 'Pay.', store: false })).json();
    expect(unstored.store).toBe(false);
    const chatId = chatOfId(first.id);
    const cases = [
      { id: first.id, user: 'eve' },
      { id: `resp_${chatId}.run_1`, user: 'ada' },
      { id: 'resp_1', user: 'ada' },
      { id: first.output[0]?.id, user: 'ada' },
      { id: unstored.id, user: 'ada' },
    ];
    for (const { id, user } of cases) {
      for (const [method, path] of [
        ['GET', `/responses/${id}`],
        ['GET', `/responses/${id}?stream=true`],
        ['GET', `/responses/${id}/input_items`],
        ['POST', `/responses/${id}/cancel`],
        ['DELETE', `/responses/${id}`],
      ] as const) {
        const response = await send(gateway, path, { method, user });
        expect(response.status).toBe(404);
        const { error } = errorBodySchema.strict().parse(await response.json());
        expect(error).toMatchObject({
          param: 'response_id',
          code: 'not-found',
          type: 'invalid_request_error',
        });
      }
    }
    expect((await send(gateway, `/responses/${first.id}`)).status).toBe(200);
  });
});

describe('the input of a response', () => {
  it('is listed, the newest first, page by page [ADR 0014]', async () => {
    const gateway = await responsesGateway(payment);
    const { first, second } = await askedAndAnswered(gateway);
    expect(await (await send(gateway, `/responses/${first.id}/input_items`)).json()).toMatchObject({
      object: 'list',
      data: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Pay Al.' }] }],
      has_more: false,
    });
    const request = first.output.at(-1)?.id;
    expect(await (await send(gateway, `/responses/${second.id}/input_items`)).json()).toMatchObject({
      data: [{ type: 'mcp_approval_response', approval_request_id: request, approve: true, reason: null }],
    });
    for (const [query, param] of [
      ['limit=0', 'limit'],
      ['order=up', 'order'],
      ['after=msg_1', 'after'],
    ]) {
      const refused = await send(gateway, `/responses/${first.id}/input_items?${query}`);
      expect(await refused.json()).toMatchObject({ error: { param } });
    }
  });

  it('holds files, and the output of a function of the client [ADR 0014]', async () => {
    const gateway = await responsesGateway(perTurn([[{ call: 'theme' }], [{ text: 'Dark.' }]]));
    const image_url = 'data:image/png;base64,iVBORw0KGgo=';
    const file_data = 'data:text/plain;base64,SGk=';
    const content = [
      { type: 'input_text', text: 'Look.' },
      { type: 'input_image', image_url },
      { type: 'input_file', file_data, filename: 'hi.txt' },
    ];
    const first = await (await gateway.post({ input: [{ role: 'user', content }] })).json();
    const items = await (await send(gateway, `/responses/${first.id}/input_items?order=asc`)).json();
    expect(items.data[0].content).toEqual([
      content[0],
      { type: 'input_image', image_url, detail: 'auto' },
      content[2],
    ]);
    const { call_id } = first.output[0];
    const second = await (
      await gateway.post({ input: [{ type: 'function_call_output', call_id, output: 'dark' }] })
    ).json();
    const outputs = await (await send(gateway, `/responses/${second.id}/input_items`)).json();
    expect(outputs.data).toMatchObject([{ type: 'function_call_output', call_id, output: 'dark' }]);
  });
});

describe('cancelling and deleting', () => {
  it('stops a running response, and gives its end [ADR 0014]', async () => {
    const gateway = await responsesGateway([[{ text: 'Well,' }, { wait: new Promise(() => {}) }]]);
    const [id, live] = await withId(await gateway.post({ input: 'Go.', stream: true }));
    const cancelled = await (await send(gateway, `/responses/${id}/cancel`, { method: 'POST' })).json();
    expect(cancelled).toMatchObject({ id, status: 'incomplete', incomplete_details: { reason: 'steered' } });
    expect((await readResponsesFrames(await live)).events.at(-1)?.type).toBe('response.incomplete');
    expect(await (await send(gateway, `/responses/${id}`)).json()).toEqual(cancelled);
  });

  it('leaves a response that has ended, and its question, as they are [ADR 0014]', async () => {
    const gateway = await responsesGateway(payment);
    const first = await (await gateway.post({ input: 'Pay.' })).json();
    expect(await (await send(gateway, `/responses/${first.id}/cancel`, { method: 'POST' })).json()).toEqual(
      first,
    );
    const { items } = await gateway.flow.approvals.list({ principal: ada, state: 'open' });
    expect(items).toHaveLength(1);
  });

  it('erases the conversation by its last response, and by no other [ADR 0014]', async () => {
    const gateway = await responsesGateway(payment);
    const { first, second } = await askedAndAnswered(gateway);
    const early = await send(gateway, `/responses/${first.id}`, { method: 'DELETE' });
    expect(early.status).toBe(400);
    expect(await early.json()).toMatchObject({ error: { param: 'response_id' } });
    const deleted = await send(gateway, `/responses/${second.id}`, { method: 'DELETE' });
    expect(await deleted.json()).toEqual({ id: second.id, object: 'response', deleted: true });
    expect((await send(gateway, `/responses/${first.id}`)).status).toBe(404);
    expect((await gateway.flow.chats.list({ principal: ada })).items).toEqual([]);
  });
});

describe('everything else under /v1', () => {
  it('lists the one model, by the name that responses have [ADR 0014]', async () => {
    const gateway = await responsesGateway([[{ text: 'Hi.' }]], { handler: { model: 'house' } });
    const models = await (await send(gateway, '/models')).json();
    expect(models).toEqual({
      object: 'list',
      data: [{ id: 'house', object: 'model', created: 0, owned_by: 'countersign' }],
    });
    expect(await (await send(gateway, '/models/house')).json()).toEqual(models.data[0]);
    expect((await (await gateway.post({ input: 'Go.' })).json()).model).toBe('house');
  });

  it.each<{ path: string; method?: string; status: number; error: object }>([
    { path: '/nothing', status: 404, error: { code: 'not-found', param: null } },
    { path: '/responses/a/b/c', status: 404, error: { code: 'not-found', param: null } },
    { path: '/models/gpt-9', status: 404, error: { code: 'not-found', param: 'model' } },
    { path: '/responses', status: 405, error: { code: 'method-not-allowed', param: null } },
    { path: '/models', method: 'POST', status: 405, error: { code: 'method-not-allowed' } },
    { path: '/responses/resp_1', method: 'PUT', status: 405, error: { code: 'method-not-allowed' } },
    {
      path: '/responses/resp_1?stream=true&starting_after=x',
      status: 400,
      error: { param: 'starting_after' },
    },
  ])('refuses $method $path in the form of the API [C16]', async ({ path, method, status, error }) => {
    const gateway = await responsesGateway([]);
    const response = await send(gateway, path, { method });
    expect(response.status).toBe(status);
    expect(response.headers.get('x-should-retry')).toBe('false');
    if (status === 405) expect(response.headers.get('allow')).toMatch(/^(GET|POST|DELETE)/);
    const body = errorBodySchema.strict().parse(await response.json());
    expect(body.error).toMatchObject({ type: 'invalid_request_error', ...error });
  });

  it.each([
    [{ input: 7 }, 'input'],
    [{ input: 'Go.', metadata: { a: 1 } }, 'metadata.a'],
    [{ input: 'Go.', stream: 'yes' }, 'stream'],
    [{ input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'file-1' }] }] }, 'input'],
    [{ input: 'Go.', background: true }, 'background'],
    [{ input: 'Go.', truncation: 'auto' }, 'truncation'],
    [{ input: 'Go.', include: ['message.output_text.logprobs'] }, 'include'],
  ])('names the field of %j that is wrong [C16]', async (body, param) => {
    const { post } = await responsesGateway([]);
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param } });
  });
});

/** The id of a response whose stream has begun, and the stream as it was. */
async function withId(response: Response): Promise<[id: string, whole: Promise<Response>]> {
  const [now, later] = response.body?.tee() ?? [];
  const reader = (now ?? new ReadableStream()).getReader();
  let text = '';
  while (!/output_text.delta/.test(text)) {
    const { value, done } = await reader.read();
    if (done) break;
    text += new TextDecoder().decode(value);
  }
  void reader.cancel();
  return [/resp_[^"]+/.exec(text)?.[0] ?? '', Promise.resolve(new Response(later))];
}
