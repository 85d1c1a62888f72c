import { tool } from 'ai';
import { sqliteStore } from 'countersign/store';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { connectChatSocket, frameTypes } from './support/chat-socket-client.ts';
import { gate } from './support/gate.ts';
import { serveDialects } from './support/serve-dialects.ts';

const ada = { id: 'ada', name: 'Ada' };

/** Runs until it is told to stop. */
const endless = tool({
  inputSchema: z.object({}),
  execute: (_input, { abortSignal }) =>
    new Promise<string>((_resolve, reject) =>
      abortSignal?.addEventListener('abort', () => reject(new Error('aborted'))),
    ),
});
const quick = tool({
  inputSchema: z.object({}),
  description: 'Is done at once.',
  execute: async () => 'done',
});
const ask = tool({
  inputSchema: z.object({ n: z.number() }),
  needsApproval: true,
  execute: async ({ n }) => n,
});

async function open(
  script: Parameters<typeof serveDialects>[0],
  settings: Parameters<typeof serveDialects>[1] = {},
) {
  const served = await serveDialects(script, { tools: { endless, quick, ask }, ...settings });
  return { ...served, client: await connectChatSocket(served.url) };
}

describe('chat socket: cancelling', () => {
  it('`cancel` ends a running call with TOOL_CANCELLED, and the turn with complete [D3, D21]', async () => {
    const { client, flow, model } = await open([[{ text: 'Going. ' }, { call: 'endless', id: 'a' }]]);
    client.say('go');
    await client.frame('tool_start');
    client.send({ type: 'cancel' });
    const frames = await client.complete();
    expect(frameTypes(frames)).toEqual(['token', 'tool_start', 'error', 'complete']);
    expect(await client.frame('error')).toMatchObject({
      code: 'TOOL_CANCELLED',
      tool_call_id: 'a',
    });
    const { conversation_id } = await client.frame('complete');
    expect((await flow.chats.read({ chatId: conversation_id as never, principal: ada })).run.status).toBe(
      'idle',
    );
    expect(model.calls).toHaveLength(1);
  });

  it('`cancel` while the model is generating is acknowledged once, and ends with complete [D21]', async () => {
    const { client } = await open([[{ text: 'I was about' }, { wait: new Promise<void>(() => {}) }]]);
    client.say('go');
    await client.frame('token');
    client.send({ type: 'cancel' });
    expect(frameTypes(await client.complete())).toEqual(['token', 'error', 'complete']);
    expect(await client.frame('error')).toMatchObject({ code: 'TOOL_CANCELLED' });
  });

  it('`tool_cancel` ends one of two running calls, and the run continues with the other [D21]', async () => {
    const held = gate();
    const slow = tool({ inputSchema: z.object({}), execute: () => held.passed.then(() => 'slow') });
    const { client, model } = await open(
      [
        [
          { call: 'endless', id: 'a' },
          { call: 'slow', id: 'b' },
        ],
        [{ text: 'One of two.' }],
      ],
      { tools: { endless, slow } },
    );
    client.say('go');
    await client.frame('tool_start', 2);
    client.send({ type: 'tool_cancel', tool_call_id: 'a' });
    expect(await client.frame('error')).toMatchObject({ code: 'TOOL_CANCELLED', tool_call_id: 'a' });
    expect(client.frames.some(({ type }) => type === 'tool_complete')).toBe(false);
    held.open();
    const frames = await client.complete();
    expect(frameTypes(frames).slice(-3)).toEqual(['tool_complete', 'token', 'complete']);
    expect(JSON.stringify(model.calls[1]?.prompt)).toContain('Stopped while it ran.');
  });

  it('`tool_cancel` of a call with an open question withdraws the question, and the run continues [D21, D24]', async () => {
    const { client, flow } = await open([
      [{ call: 'ask', id: 'a', input: { n: 1 } }],
      [{ text: 'Then not.' }],
    ]);
    client.say('go');
    const { approval_id } = await client.frame('tool_approval_request');
    client.send({ type: 'tool_cancel', tool_call_id: 'a' });
    expect(frameTypes(await client.complete())).toEqual([
      'tool_approval_request',
      'error',
      'token',
      'complete',
    ]);
    expect(await client.frame('error')).toMatchObject({ code: 'TOOL_CANCELLED', tool_call_id: 'a' });
    expect((await flow.approvals.read({ approvalId: approval_id as never, principal: ada })).state).toBe(
      'cancelled',
    );
  });

  it('`cancel` withdraws an open question, and ends with complete [D21, D24]', async () => {
    const { client, flow, model } = await open([[{ call: 'ask', id: 'a', input: { n: 1 } }]]);
    client.say('go');
    const { approval_id } = await client.frame('tool_approval_request');
    client.send({ type: 'cancel' });
    expect(frameTypes(await client.complete())).toEqual(['tool_approval_request', 'error', 'complete']);
    expect(await client.frame('error')).toMatchObject({ code: 'TOOL_CANCELLED', tool_call_id: 'a' });
    expect((await flow.approvals.read({ approvalId: approval_id as never, principal: ada })).state).toBe(
      'cancelled',
    );
    expect(model.calls).toHaveLength(1);
  });

  it('refuses to cancel a call that is not running, with an error [D21]', async () => {
    const { client } = await open([]);
    client.send({ type: 'tool_cancel', tool_call_id: 'nothing' });
    expect(await client.frame('error')).toMatchObject({ tool_call_id: 'nothing' });
  });

  it('ends a turn when `cancel` arrives right after its message [D21]', async () => {
    const { client } = await open([[{ wait: new Promise<void>(() => {}) }]]);
    client.say('go');
    client.send({ type: 'cancel' });
    expect(frameTypes(await client.complete())).toEqual(['error', 'complete']);
  });
});

describe('chat socket: optional features', () => {
  it('lists the tools on request [D20]', async () => {
    const { client } = await open([]);
    client.send({ type: 'list_tools' });
    const { tools } = await client.frame('tools');
    expect(tools.map(({ name }) => name)).toEqual(['endless', 'quick', 'ask']);
    expect(tools[1]).toEqual({
      name: 'quick',
      title: 'quick',
      description: 'Is done at once.',
      input_schema: expect.objectContaining({ type: 'object' }),
    });
    expect(tools[2]?.input_schema).toMatchObject({ properties: { n: { type: 'number' } }, required: ['n'] });
  });

  const counting = tool({
    inputSchema: z.object({}),
    execute: async function* () {
      yield 'one';
      yield 'one, two';
      yield 'one, two, three';
    },
  });

  it('streams preliminary results to a client that requests them [D23]', async () => {
    const { client } = await open([[{ call: 'counting', id: 'a' }], [{ text: 'Three.' }]], {
      tools: { counting },
    });
    client.say('count', { stream_results: true });
    const frames = await client.complete();
    const told = frames.flatMap((frame) =>
      frame.type === 'tool_result_chunk' ? [[frame.index, frame.content]] : [],
    );
    expect(told.slice(0, 2)).toEqual([
      [0, 'one'],
      [1, 'one, two'],
    ]);
    expect(await client.frame('tool_result_end')).toMatchObject({ tool_call_id: 'a', chunks: told.length });
    expect(await client.frame('tool_complete')).toMatchObject({ tool_result: 'one, two, three' });
    expect(frameTypes(frames).slice(-4)).toEqual(['tool_result_end', 'tool_complete', 'token', 'complete']);
  });

  it('streams no preliminary results to a client that does not request them [D15, D23]', async () => {
    const { client } = await open([[{ call: 'counting', id: 'a' }], [{ text: 'Three.' }]], {
      tools: { counting },
    });
    client.say('count');
    expect(frameTypes(await client.complete())).toEqual(['tool_start', 'tool_complete', 'token', 'complete']);
  });
});

describe('chat socket: calls that only a page could execute', () => {
  it.each(['theme', 'locate'])(
    'sends a call of %s as TOOL_ERROR, asks no one, and continues [D13]',
    async (name) => {
      const { url } = await serveDialects([[{ call: name, id: 'page' }], [{ text: 'Never mind.' }]]);
      const client = await connectChatSocket(url);
      client.say('go');
      const frames = await client.complete();
      expect(frameTypes(frames).slice(-3)).toEqual(['error', 'token', 'complete']);
      expect(await client.frame('error')).toMatchObject({ code: 'TOOL_ERROR', tool_call_id: 'page' });
      expect(frameTypes(frames)).not.toContain('tool_approval_request');
    },
  );
});

describe('chat socket: errors', () => {
  it.each([
    ['text that is not JSON', 'hello'],
    ['a frame without a type', '{}'],
    ['a type that does not exist', '{"type":"shout"}'],
    ['a message without content', '{"type":"message"}'],
    ['an empty message', '{"type":"message","content":""}'],
    ['an answer that does not say yes or no', '{"type":"tool_approval_response","approval_id":"a"}'],
    ['a retry of nothing', '{"type":"tool_retry"}'],
  ])('answers %s with INVALID_FORMAT, and keeps the socket open [D3, D26]', async (_what, frame) => {
    const { client } = await open([[{ text: 'Hello.' }]]);
    client.send(frame);
    expect(await client.frame('error')).toMatchObject({ code: 'INVALID_FORMAT' });
    client.say('Hi');
    await client.complete();
  });

  it('answers a binary message with INVALID_FORMAT [D26]', async () => {
    const { client } = await open([]);
    client.socket.send(Buffer.from('{"type":"ping"}'));
    expect(await client.frame('error')).toMatchObject({ code: 'INVALID_FORMAT' });
  });

  it('answers a message to another user’s or an unknown conversation with ACCESS_DENIED, and runs nothing [D3, D26]', async () => {
    const { client, url, model } = await open([[{ text: 'Hello.' }]]);
    client.say('Hi');
    const { conversation_id } = await client.frame('complete');
    const mallory = await connectChatSocket(url, 'mallory');
    mallory.say('Hi', { conversation_id });
    expect(await mallory.frame('error')).toMatchObject({ code: 'ACCESS_DENIED', conversation_id });
    mallory.send({ type: 'cancel', conversation_id });
    expect(await mallory.frame('error', 2)).toMatchObject({ code: 'ACCESS_DENIED' });
    client.say('Hi', { conversation_id: 'nowhere' });
    expect(await client.frame('error')).toMatchObject({ code: 'ACCESS_DENIED' });
    expect(model.calls).toHaveLength(1);
  });

  it('answers a message to a busy conversation with an error, and changes nothing [D2, D26]', async () => {
    const held = gate();
    const { client, model } = await open([[{ text: 'One.' }], [{ wait: held.passed }, { text: 'Two.' }]]);
    client.say('Hi');
    const { conversation_id } = await client.frame('complete');
    client.say('Again', { conversation_id });
    client.say('And again', { conversation_id });
    expect((await client.frame('error')).message).toContain('still answering');
    held.open();
    await client.complete(2);
    expect(model.calls).toHaveLength(2);
  });

  it('logs a frame that cannot be created, sends a generic error, and continues to complete [D14]', async () => {
    const inner = sqliteStore({ path: ':memory:' });
    const append: typeof inner.append = async (batch) => {
      const outcome = await inner.append(batch);
      // What was written is whole; what this instance tells of it is not.
      for (const event of batch.events)
        if (event.type === 'tool-started') Object.assign(event, { at: Number.NaN });
      return outcome;
    };
    const error = vi.fn();
    const { client } = await open([[{ call: 'quick', id: 'a' }], [{ text: 'Done.' }]], {
      store: { ...inner, append },
      serverLogger: { warn: () => {}, error },
    });
    client.say('go');
    const frames = await client.complete();
    expect(frameTypes(frames)).toEqual(['error', 'tool_complete', 'token', 'complete']);
    expect(frames[1]).toMatchObject({ code: 'INTERNAL_ERROR', recoverable: true });
    expect(error).toHaveBeenCalledWith('A frame could not be made.', expect.anything());
  });

  it('ends no run when its client disconnects [D17, D26]', async () => {
    const held = gate();
    const { client, flow, model } = await open([
      [{ text: 'One.' }, { wait: held.passed }],
      [{ text: 'Two.' }],
    ]);
    client.say('Hi');
    await client.frame('token');
    client.socket.terminate();
    held.open();
    const mine = async () => (await flow.chats.list({ principal: ada })).items.map(({ status }) => status);
    await expect.poll(mine).toEqual(['idle']);
    expect(model.calls).toHaveLength(1);
  });
});
