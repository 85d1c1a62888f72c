import { tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ServerFrame } from '../../../lib/plugins/chat-socket/client/schema.ts';
import { connectChatSocket, frameTypes, ofTurn } from './support/chat-socket-client.ts';
import { gate } from './support/gate.ts';
import { ServiceError } from './support/music-catalogue.ts';
import { serveDialects } from './support/serve-dialects.ts';

const multiply = tool({
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: async ({ a, b }) => String(a * b),
});
const give = (value: unknown) => ({
  give: tool({ inputSchema: z.object({}), execute: async (): Promise<unknown> => value }),
});
const times = (id: string, a: number, b: number) => ({ call: 'multiply', id, input: { a, b } });

async function open(
  script: Parameters<typeof serveDialects>[0],
  settings: Parameters<typeof serveDialects>[1] = {},
) {
  const served = await serveDialects(script, { tools: { multiply }, ...settings });
  return { ...served, client: await connectChatSocket(served.url) };
}

const ofType = <Type extends ServerFrame['type']>(frames: readonly ServerFrame[], type: Type) =>
  frames.filter((frame): frame is Extract<ServerFrame, { type: Type }> => frame.type === type);

describe('chat socket: a turn', () => {
  it('answers a message with tokens and `complete`, whose message is stored [D1, D2, D4, D12, D17]', async () => {
    const { client, flow } = await open([[{ text: ['Hello, ', 'Ada.'] }]]);
    client.say('Hi');
    const frames = await client.complete();
    expect(frameTypes(frames)).toEqual(['token', 'complete']);
    expect(
      ofType(frames, 'token')
        .map(({ content }) => content)
        .join(''),
    ).toBe('Hello, Ada.');
    const complete = await client.frame('complete');
    expect(Object.keys(complete)).toEqual(['type', 'message_id', 'conversation_id']);
    const chat = await flow.chats.read({
      chatId: complete.conversation_id as never,
      principal: { id: 'ada', name: 'Ada' },
    });
    expect(chat.messages.at(-1)).toMatchObject({ id: complete.message_id, role: 'assistant' });
    expect(chat.run.status).toBe('idle');
  });

  it('continues a named conversation [D1, D4]', async () => {
    const { client, model } = await open([[{ text: 'Hello.' }], [{ text: 'Again.' }]]);
    client.say('Hi');
    const { conversation_id, message_id } = await client.frame('complete');
    client.say('More', { conversation_id });
    const second = await client.frame('complete', 2);
    expect(second.conversation_id).toBe(conversation_id);
    expect(second.message_id).not.toBe(message_id);
    expect(model.calls[1]?.prompt).toHaveLength(3);
  });

  it('multiplies 5 and 4: start, complete "20", tokens, complete [D5, D6, D7, D8, D10, D25]', async () => {
    const { client } = await open([[times('call-1', 5, 4)], [{ text: 'It is 20.' }]]);
    client.say('multiply 5 and 4');
    const frames = await client.complete();
    expect(frames).toEqual([
      { type: 'started', client_message_id: expect.any(String), ...ofTurn },
      {
        type: 'tool_start',
        tool_call_id: 'call-1',
        tool_name: 'multiply',
        tool_input: '{"a":5,"b":4}',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        ...ofTurn,
      },
      {
        type: 'tool_complete',
        tool_call_id: 'call-1',
        tool_name: 'multiply',
        tool_result: '20',
        timestamp: expect.stringMatching(/Z$/),
        ...ofTurn,
      },
      { type: 'token', content: 'It is 20.', ...ofTurn },
      { type: 'complete', ...ofTurn },
    ]);
  });

  it('sends parallel and sequential calls in pairs, each with its id, and loses none [D7, D11]', async () => {
    const { client } = await open([
      [times('p1', 1, 2), times('p2', 3, 4)],
      [times('s1', 5, 6)],
      [{ text: 'Done.' }],
    ]);
    client.say('multiply a lot');
    const frames = await client.complete();
    expect(ofType(frames, 'tool_start').map(({ tool_call_id }) => tool_call_id)).toEqual(['p1', 'p2', 's1']);
    const results = ofType(frames, 'tool_complete').map(({ tool_call_id, tool_result }) => [
      tool_call_id,
      tool_result,
    ]);
    expect(Object.fromEntries(results)).toEqual({ p1: '2', p2: '12', s1: '30' });
    expect(results.at(-1)).toEqual(['s1', '30']);
  });

  it.each<[string, unknown, string]>([
    ['a string unchanged', 'plain "text"', 'plain "text"'],
    ['an empty string as two quotes', '', '""'],
    ['undefined as null', undefined, 'null'],
    ['null as null', null, 'null'],
    ['a number as JSON', 0, '0'],
    ['a list as JSON', [1, 'a'], '[1,"a"]'],
    ['a BigInt as its digits', { n: 10n }, '{"n":"10"}'],
    ['a cycle without throwing', Object.assign([1], { 1: {} }), '[1,{}]'],
  ])('sends %s [D6, D9]', async (_what, value, text) => {
    const { client } = await open([[{ call: 'give' }], [{ text: 'Given.' }]], { tools: give(value) });
    client.say('give');
    expect((await client.frame('tool_complete')).tool_result).toBe(text);
    await client.complete();
  });

  it('sends a value that contains itself [D9]', async () => {
    const cycle: Record<string, unknown> = { name: 'loop' };
    cycle.self = cycle;
    const { client } = await open([[{ call: 'give' }], [{ text: 'Given.' }]], { tools: give(cycle) });
    client.say('give');
    expect((await client.frame('tool_complete')).tool_result).toBe('{"name":"loop","self":"[circular]"}');
    await client.complete();
  });

  it.each<[string, object, RegExp]>([
    ['an exception', { call: 'broken', id: 'bad' }, /^broken: The service is closed\.$/],
    ['bad arguments', { call: 'multiply', id: 'bad', input: { a: 'x' } }, /^multiply: The arguments/],
    ['an unknown tool', { call: 'divide', id: 'bad', input: {} }, /^divide: There is no tool/],
  ])(
    'sends %s as a recoverable TOOL_ERROR between start and tokens [D3, D7, D10, D13]',
    async (_what, call, message) => {
      const broken = tool({
        inputSchema: z.object({}),
        execute: async (): Promise<string> => {
          throw new ServiceError('The service is closed.', 500);
        },
      });
      const { client } = await open([[call as never], [{ text: 'Sorry.' }]], { tools: { multiply, broken } });
      client.say('go');
      const frames = await client.complete();
      expect(frameTypes(frames)).toEqual(['tool_start', 'error', 'token', 'complete']);
      expect(await client.frame('error')).toEqual({
        type: 'error',
        code: 'TOOL_ERROR',
        message: expect.stringMatching(message),
        recoverable: true,
        tool_call_id: 'bad',
        ...ofTurn,
      });
      client.send({ type: 'ping' });
      await client.frame('pong');
    },
  );

  it('sends a failure of the model as LLM_ERROR, and keeps the socket open [D3]', async () => {
    const { client } = await open([[{ text: 'I' }, { error: new Error('secret') }], [{ text: 'Now.' }]], {
      maxRetries: 0,
    });
    client.say('Hi');
    expect(await client.frame('error')).toEqual({
      type: 'error',
      code: 'LLM_ERROR',
      message: 'The model call failed. Try again.',
      recoverable: false,
      ...ofTurn,
    });
    client.say('Hi again');
    await client.complete();
  });

  it('gives an old client, which knows only token, complete and error, the right answer [D15]', async () => {
    const { client } = await open([[{ text: 'Let me see. ' }, times('a', 5, 4)], [{ text: 'It is 20.' }]]);
    client.say('multiply 5 and 4');
    let answer = '';
    let saved = '';
    for (const frame of await client.complete()) {
      if (frame.type === 'token') answer += frame.content;
      if (frame.type === 'complete') saved = frame.message_id;
      if (frame.type === 'error') throw new Error(frame.message);
    }
    expect({ answer, saved: saved !== '' }).toEqual({ answer: 'Let me see. It is 20.', saved: true });
  });

  it('sends no model steps, tools or other frames that were not requested [D12, D16, D20]', async () => {
    const { client } = await open([[{ reasoning: 'Hm.' }, { text: 'Hello.' }]]);
    client.say('Hi');
    await client.complete();
    client.send({ type: 'ping' });
    await client.frame('pong');
    expect(frameTypes(client.frames)).toEqual(['token', 'complete', 'pong']);
  });

  it('answers a ping while a tool is running [D18]', async () => {
    const held = gate();
    const slow = tool({ inputSchema: z.object({}), execute: () => held.passed });
    const { client } = await open([[{ call: 'slow' }], [{ text: 'Done.' }]], { tools: { slow } });
    client.say('go');
    await client.frame('tool_start');
    client.send({ type: 'ping' });
    await client.frame('pong');
    expect(frameTypes(client.frames)).toEqual(['tool_start', 'pong']);
    held.open();
    await client.complete();
  });
});

describe('chat socket: large results', () => {
  const fetchResult = async (url: string, chatId: string, callId: string, headers = {}) => {
    const response = await fetch(`${url}/api/chat/${chatId}/tool-results/${callId}`, { headers });
    return { status: response.status, body: await response.json() };
  };

  it('sends 65,536 bytes whole, and cuts one byte more, with its length and the whole result over HTTP [D19, S12]', async () => {
    const limit = 64 * 1024;
    const tools = {
      big: tool({
        inputSchema: z.object({ size: z.number() }),
        execute: async ({ size }) => 'é'.repeat(Math.floor(size / 2)) + 'x'.repeat(size % 2),
      }),
    };
    const big = (id: string, size: number) => ({ call: 'big', id, input: { size } });
    const { client, url, model } = await open(
      [[big('whole', limit)], [big('cut', limit + 1)], [{ text: 'Done.' }]],
      { tools },
    );
    client.say('go');
    const whole = await client.frame('tool_complete');
    expect([Buffer.byteLength(whole.tool_result), 'truncated' in whole]).toEqual([limit, false]);
    const cut = await client.frame('tool_complete', 2);
    expect([Buffer.byteLength(cut.tool_result), cut.truncated, cut.original_length]).toEqual([
      limit,
      true,
      limit + 1,
    ]);

    const { conversation_id } = await client.frame('complete');
    const full = await fetchResult(url, conversation_id, 'cut');
    expect(full.body).toMatchObject({ toolCallId: 'cut', toolName: 'big' });
    expect(Buffer.byteLength(full.body.output)).toBe(limit + 1);
    // The model is told the whole.
    expect(JSON.stringify(model.calls[2]?.prompt).length).toBeGreaterThan(limit / 2);
    expect((await fetchResult(url, conversation_id, 'cut', { 'x-test-user': 'mallory' })).status).toBe(404);
    expect((await fetchResult(url, conversation_id, 'unknown')).status).toBe(404);
  });

  it('cuts at the configured length, never inside a character [D19]', async () => {
    const { client } = await open([[{ call: 'give' }], [{ text: 'Done.' }]], {
      tools: give('a😀b'),
      maxResultBytes: 3,
    });
    client.say('go');
    expect(await client.frame('tool_complete')).toMatchObject({
      tool_result: 'a',
      truncated: true,
      original_length: 6,
    });
    await client.complete();
  });

  it.each<[string, object, object]>([
    ['a failure', { call: 'broken', id: 'it' }, { error: 'Closed.' }],
    ['a denial', { call: 'pay', id: 'it', input: {} }, { error: 'Denied: no' }],
  ])('answers %s over HTTP with its error [D19]', async (_what, call, result) => {
    const broken = tool({
      inputSchema: z.object({}),
      execute: async (): Promise<string> => {
        throw new Error('Closed.');
      },
    });
    const pay = tool({ inputSchema: z.object({}), needsApproval: true, execute: async () => 'paid' });
    const { client, url } = await open([[call as never], [{ text: 'Done.' }]], { tools: { broken, pay } });
    client.say('go');
    await client.until((all) =>
      all.some(({ type }) => type === 'tool_approval_request' || type === 'complete'),
    );
    const [asked] = ofType(client.frames, 'tool_approval_request');
    if (asked)
      client.send({
        type: 'tool_approval_response',
        approval_id: asked.approval_id,
        approved: false,
        reason: 'no',
      });
    const { conversation_id } = await client.frame('complete');
    expect((await fetchResult(url, conversation_id, 'it')).body).toMatchObject(result);
  });
});
