import { APICallError, RetryError } from 'ai';
import { collect } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { errorBodySchema } from '../../../lib/plugins/responses/client/schema/response-schema.ts';
import { chatOfId } from '../../../lib/plugins/responses/ids.ts';
import { barrier } from '../../support/barrier.ts';
import { ada } from '../../support/flow-fixture.ts';
import { readResponsesFrames } from '../../support/responses-frames.ts';
import { responsesGateway } from '../../support/responses-gateway.ts';

/** What a provider throws. */
function apiError(statusCode: number, data?: object) {
  const url = 'https://model.test';
  return new APICallError({ message: 'secret', url, requestBodyValues: {}, statusCode, data });
}

const says = [[{ text: 'Yes.' }]];

const nested = Array.from({ length: 2_000 }).reduce<object>((inner) => ({ items: inner }), {});

describe('refused requests of the Responses gateway', () => {
  it.each<{ why: string; body: unknown; headers?: Record<string, string>; status: number; error: object }>([
    {
      why: 'an input of another shape',
      body: { input: 7 },
      status: 400,
      error: { type: 'invalid_request_error', code: 'invalid-request' },
    },
    {
      why: 'an input that holds nothing new',
      body: { input: [{ role: 'assistant', content: 'Hello.' }] },
      status: 400,
      error: { code: 'invalid-request', param: 'input' },
    },
    {
      why: 'a schema of a tool that is nested too deeply to be recorded',
      body: { input: 'Go.', tools: [{ type: 'function', name: 'deep', parameters: nested }] },
      status: 400,
      error: { code: 'invalid-request', message: 'A tool of the request is nested deeper than 64 levels.' },
    },
    {
      why: 'a format of the text that is nested too deeply to be recorded',
      body: { input: 'Go.', text: { format: { type: 'json_schema', name: 'deep', schema: nested } } },
      status: 400,
      error: { code: 'invalid-request' },
    },
    {
      why: 'a message with a part that is not known',
      body: { input: [{ type: 'message', role: 'user', content: [{ type: 'input_audio', data: '' }] }] },
      status: 400,
      error: { code: 'invalid-request' },
    },
    {
      why: 'an answer that says neither yes nor no',
      body: { input: [{ type: 'mcp_approval_response', approval_request_id: 'mcpr_chat.apr_1' }] },
      status: 400,
      error: { code: 'invalid-request' },
    },
    {
      why: 'a file by an id of another server',
      body: { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'file-1' }] }] },
      status: 400,
      error: { code: 'invalid-request' },
    },
    {
      why: 'a file of this machine',
      body: { input: [{ role: 'user', content: [{ type: 'input_file', file_url: 'file:///etc/passwd' }] }] },
      status: 400,
      error: { code: 'invalid-request' },
    },
    {
      why: 'a response that was never given',
      body: { input: 'Go.', previous_response_id: 'resp_chat.run_1' },
      status: 404,
      error: { code: 'not-found' },
    },
    {
      why: 'an id that this server did not create',
      body: { input: 'Go.', previous_response_id: 'resp_12345' },
      status: 404,
      error: { code: 'not-found', param: 'previous_response_id' },
    },
    {
      why: 'an answer to nothing',
      body: {
        input: [{ type: 'mcp_approval_response', approval_request_id: 'mcpr_chat.apr_1', approve: true }],
      },
      status: 404,
      error: { code: 'not-found' },
    },
    {
      why: 'an output of an unknown call',
      body: { input: [{ type: 'function_call_output', call_id: 'call_1', output: 'x' }] },
      status: 400,
      error: { code: 'invalid-request' },
    },
    {
      why: 'nobody',
      body: { input: 'Go.' },
      headers: { authorization: '' },
      status: 401,
      error: { type: 'authentication_error', code: 'unauthenticated' },
    },
    {
      why: 'another site',
      body: { input: 'Go.' },
      headers: { origin: 'https://elsewhere.example' },
      status: 403,
      error: { type: 'permission_error', code: 'forbidden' },
    },
  ])('$why is refused before any stream [C16]', async ({ body, headers, status, error }) => {
    const { post, model } = await responsesGateway(says);
    for (const stream of [true, false]) {
      const response = await post({ ...Object(body), stream }, headers);
      expect(response.status).toBe(status);
      expect(response.headers.get('x-should-retry')).toBe('false');
      const told = errorBodySchema.strict().parse(await response.json());
      expect(told.error).toMatchObject(error);
    }
    expect(model.calls).toEqual([]);
  });

  it('another user’s chat is refused by every id as if it did not exist [C15, C18]', async () => {
    const { post } = await responsesGateway([[{ call: 'pay', input: { to: 'Al', amount: 1 } }]]);
    const response = await (await post({ input: 'Pay Al.' })).json();
    const [request] = response.output;
    const answer = { type: 'mcp_approval_response', approval_request_id: request.id, approve: true };
    for (const body of [
      { input: 'Go.', previous_response_id: response.id },
      { input: 'Go.', conversation: String(chatOfId(response.id)) },
      { input: [answer] },
      {
        input: [
          { type: 'item_reference', id: request.id },
          { role: 'user', content: 'Go.' },
        ],
      },
    ]) {
      const refused = await post(body, { authorization: 'Bearer eve' });
      expect(refused.status).toBe(404);
    }
  });

  it('a message is refused while its chat is still answering [C16]', async () => {
    const held = barrier();
    const { post } = await responsesGateway([[{ text: 'Yes.' }, { wait: held.wait }]]);
    const first = await post({ input: 'Go.', stream: true });
    const reader = (first.body ?? new ReadableStream()).getReader();
    const { value } = await reader.read();
    const [id] = /resp_[^"]+/.exec(new TextDecoder().decode(value)) ?? [];
    const refused = await post({ input: 'And?', previous_response_id: id });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ error: { code: 'run-active' } });
    held.lift();
    await reader.cancel();
  });
});

describe('unsuccessful responses', () => {
  it('report a failure of the model, at the top level and nested, then as the response [C16]', async () => {
    const { post } = await responsesGateway([[{ text: 'Well,' }, { error: new Error('secret') }]]);
    const { events, frames } = await readResponsesFrames(await post({ input: 'Go.', stream: true }));
    const [error, failed] = events.slice(-2);
    const facts = { code: 'server_error', message: 'The model call failed. Try again.', param: null };
    expect(error).toMatchObject({ type: 'error', ...facts, error: { type: 'server_error', ...facts } });
    expect(failed).toMatchObject({ type: 'response.failed', response: { status: 'failed', error: facts } });
    expect(events.map(({ type }) => type).slice(-3)[0]).toBe('response.output_item.done');
    expect(frames.at(-1)).toBe('data: [DONE]');
    expect(frames.join('')).not.toContain('secret');
  });

  it('report a failure of the model as a failed response without a stream [C9, C16]', async () => {
    const { post } = await responsesGateway([[{ reject: new Error('secret') }]]);
    const response = await post({ input: 'Go.' });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ status: 'failed', error: { code: 'server_error' } });
  });

  it.each<{ what: string; part: { reject: Error } | { error: unknown }; code: string; type: string }>([
    {
      what: 'status 429',
      part: { reject: apiError(429) },
      code: 'rate_limit_exceeded',
      type: 'rate_limit_error',
    },
    {
      what: 'status 429 after the last retry',
      part: {
        reject: new RetryError({ message: 'x', reason: 'maxRetriesExceeded', errors: [apiError(429)] }),
      },
      code: 'rate_limit_exceeded',
      type: 'rate_limit_error',
    },
    {
      what: 'a documented code in its body',
      part: { reject: apiError(400, { error: { code: 'invalid_prompt' } }) },
      code: 'invalid_prompt',
      type: 'invalid_request_error',
    },
    {
      what: 'a documented code in its stream',
      part: { error: { type: 'error', error: { code: 'image_too_large' } } },
      code: 'image_too_large',
      type: 'invalid_request_error',
    },
    {
      what: 'a failed response in its stream',
      part: { error: { response: { error: { code: 'vector_store_timeout' } } } },
      code: 'vector_store_timeout',
      type: 'server_error',
    },
    {
      what: 'another code',
      part: { reject: apiError(401, { error: { code: 'invalid_api_key' } }) },
      code: 'server_error',
      type: 'server_error',
    },
  ])('have the code of a model call that failed with $what: $code [C16]', async ({ part, code, type }) => {
    const { post, openai } = await responsesGateway([[part]], { maxRetries: 0 });
    const { events } = await readResponsesFrames(await post({ input: 'Go.', stream: true }));
    const [error, failed] = events.slice(-2);
    expect(error).toMatchObject({ type: 'error', code, error: { type, code } });
    if (failed?.type !== 'response.failed') throw new Error('The response did not fail.');
    expect(failed.response.error).toMatchObject({ type, code });
    expect((await openai.responses.retrieve(failed.response.id)).error?.code).toBe(code);
  });

  it('end as incomplete when the run is cancelled [C16]', async () => {
    const { post, flow } = await responsesGateway([[{ text: 'Well,' }, { wait: new Promise(() => {}) }]]);
    const response = await post({ input: 'Go.', stream: true });
    const chunks = response.body?.pipeThrough(new TextDecoderStream()) ?? new ReadableStream<string>();
    let stopping: Promise<void> | undefined;
    let text = '';
    for await (const chunk of chunks) {
      text += chunk;
      const chatId = chatOfId(/resp_[^"]+/.exec(text)?.[0]);
      if (chatId && text.includes('output_text.delta'))
        stopping ??= flow.chats.stop({ chatId, principal: ada });
    }
    await stopping;
    const { events } = await readResponsesFrames(new Response(text));
    expect(events.slice(-2)).toMatchObject([
      { type: 'response.output_item.done', item: { status: 'incomplete' } },
      { type: 'response.incomplete', response: { incomplete_details: { reason: 'steered' } } },
    ]);
  });

  it('end with a failure when the chat is erased [C12, C16]', async () => {
    const { post, flow } = await responsesGateway([[{ text: 'Well,' }, { wait: new Promise(() => {}) }]]);
    const response = await post({ input: 'Go.', stream: true });
    const chunks = response.body?.pipeThrough(new TextDecoderStream()) ?? new ReadableStream<string>();
    let erasing: Promise<void> | undefined;
    let text = '';
    for await (const chunk of chunks) {
      text += chunk;
      const chatId = chatOfId(/resp_[^"]+/.exec(text)?.[0]);
      if (chatId && text.includes('output_text.delta'))
        erasing ??= flow.chats.erase({ chatId, principal: ada });
    }
    await erasing;
    expect(text).toMatch(/event: response\.(failed|incomplete)\n/);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('start nothing again when a request is repeated with its idempotency key [C17]', async () => {
    const { post, ran, model } = await responsesGateway([
      [{ call: 'weather', input: { city: 'Tokyo' } }],
      [{ text: 'Sunny.' }],
    ]);
    const key = { 'idempotency-key': 'once' };
    const first = await (await post({ input: 'Go.' }, key)).json();
    const again = await readResponsesFrames(await post({ input: 'Go.', stream: true }, key));
    expect(again.events.at(-1)).toMatchObject({ response: { id: first.id, output: first.output } });
    expect(ran).toHaveLength(1);
    expect(model.calls).toHaveLength(2);
  });

  it.each([
    { what: 'another input', body: { input: 'Stop.' } },
    { what: 'another setting', body: { input: 'Go.', instructions: 'Be brief.' } },
  ])('refuse an idempotency key with $what, and run nothing [C16, C17]', async ({ body }) => {
    const { post, model } = await responsesGateway([[{ text: 'Yes.' }], [{ text: 'Again.' }]]);
    const key = { 'idempotency-key': 'once' };
    const first = await (await post({ input: 'Go.' }, key)).json();
    for (const more of [{}, { previous_response_id: first.id }]) {
      const refused = await post({ ...body, ...more }, key);
      expect([refused.status, await refused.json()]).toMatchObject([422, { error: { code: 'key-reused' } }]);
    }
    expect(model.calls).toHaveLength(1);
  });

  it('start nothing again, and no branch, after the response that they name [C15, C17]', async () => {
    const { post, model } = await responsesGateway([
      [{ text: 'One.' }],
      [{ text: 'Two.' }],
      [{ text: 'No.' }],
    ]);
    const { id } = await (await post({ input: 'Go.' })).json();
    const send = async () => {
      const body = { input: 'Go on.', previous_response_id: id };
      return (await post(body, { 'idempotency-key': 'once' })).json();
    };
    expect([await send(), model.calls.length]).toEqual([await send(), 2]);
  });

  it('start nothing again in a conversation that is found by its items [C15, C17]', async () => {
    const { post, model, flow } = await responsesGateway(({ prompt }) =>
      prompt.at(-1)?.role === 'user' && prompt.length === 1
        ? [{ call: 'pay', input: { to: 'Al', amount: 1 } }]
        : [{ text: 'Yes.' }],
    );
    const pay = { role: 'user', content: 'Pay Al.' };
    const asked = await (await post({ input: [pay] })).json();
    const approval_request_id = asked.output[0].id;
    await post({ input: [{ type: 'mcp_approval_response', approval_request_id, approve: false }] });
    const input = [pay, { role: 'user', content: 'And?' }];
    const key = { 'idempotency-key': 'once' };
    const responses = [await (await post({ input }, key)).json(), await (await post({ input }, key)).json()];
    expect(responses[1]).toEqual(responses[0]);
    expect(model.calls).toHaveLength(3);
    expect((await flow.chats.list({ principal: ada })).items).toHaveLength(1);
  });

  it('do not stop the run when the client disconnects [C17]', async () => {
    const held = barrier();
    const { post, flow } = await responsesGateway([
      [{ text: 'Well,' }, { wait: held.wait }, { text: ' yes.' }],
    ]);
    const response = await post({ input: 'Go.', stream: true });
    await response.body?.cancel();
    held.lift();
    const { items } = await flow.chats.list({ principal: ada });
    const [chat] = items;
    if (!chat) throw new Error('There is no chat.');
    const stream = await flow.chats.resume({ chatId: chat.id, principal: ada });
    if (!stream) throw new Error('The run is gone.');
    const events = await collect(stream.events);
    expect(events.at(-1)).toMatchObject({ type: 'run-completed' });
  });
});
