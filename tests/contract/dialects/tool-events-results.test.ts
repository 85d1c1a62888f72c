import { tool } from 'ai';
import { largeResult } from 'countersign';
import { ChatSocketClient } from 'countersign/plugins/chat-socket/client';
import { ToolEventsClient } from 'countersign/plugins/tool-events/client';
import { collect } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { storedConversationSchema, type ToolEvent } from '../../../lib/plugins/tool-events/client/schema.ts';
import { isLongerJson } from '../../../lib/plugins/tool-events/json-size.ts';
import { parseChatId, parseToolCallId } from '../../../lib/protocol/index.ts';
import { ada } from '../../support/flow-fixture.ts';
import { userHeader } from '../../support/serve-fixture.ts';
import { jsonHeaders, serveDialects } from './support/serve-dialects.ts';
import { toolEvents } from './support/tool-events-client.ts';

const limit = 64 * 1024;

/** A turn whose tool returns this. */
async function served(output: unknown, more: { resultCount?: number; secrets?: { output: string[] } } = {}) {
  const { resultCount, ...details } = more;
  const read = tool({ inputSchema: z.object({}), execute: async () => output });
  const summarize = () => ({ summary: 'Read it.', ...(resultCount !== undefined && { resultCount }) });
  return serveDialects([[{ call: 'read', id: 'read' }], [{ text: 'Done.' }]], {
    tools: { read },
    toolDetails: { read: { summarize, ...details } },
  });
}

const endIn = (frames: readonly ToolEvent[]) => frames.find((frame) => frame.type === 'tool_call_end');

describe('tool events: long results', () => {
  it('sends an output of 64 KiB in the frame, and one byte more by reference [A6]', async () => {
    const whole = 'x'.repeat(limit - 2);
    const inline = endIn(await toolEvents((await served(whole)).url, 'Go'));
    expect(inline?.output === whole).toBe(true);
    const end = endIn(await toolEvents((await served(`${whole}x`)).url, 'Go'));
    expect(end).toMatchObject({ summary: 'Read it.', resultCount: 1, outputRef: expect.any(String) });
    expect(end).not.toHaveProperty('output');
  });

  it('has the output at the reference, without secrets, for those who may see the conversation [A6, D19]', async () => {
    const rows = Array.from({ length: 3_000 }, (_, row) => ({ row, text: `row ${row} of many` }));
    const { url } = await served({ rows, secret: '4111' }, { secrets: { output: ['secret'] } });
    const frames = await toolEvents(url, 'Go');
    const address = `${url}/api/dialects/tool-events/${endIn(frames)?.outputRef}`;
    const body = await (await fetch(address)).json();
    expect(body).toMatchObject({ toolCallId: 'read', toolName: 'read', output: { rows } });
    expect(JSON.stringify([frames, body]).includes('"4111"')).toBe(false);
    expect((await fetch(address, { headers: jsonHeaders('mallory') })).status).toBe(404);
    expect((await fetch(`${address}x`)).status).toBe(404);
  });

  it('stores the reference, and a client reads the output when it is wanted [A18, A20]', async () => {
    const { url } = await served('x'.repeat(limit));
    const client = new ToolEventsClient({ url });
    await collect(client.send('Go'));
    const [invocation] = client.state.invocations.values();
    expect(invocation).toMatchObject({ status: 'completed', outputRef: expect.any(String) });
    const { conversationId } = client.state;
    const response = await fetch(`${url}/api/dialects/tool-events?conversationId=${conversationId}`);
    const { messages } = storedConversationSchema.parse(await response.json());
    expect(messages.at(-1)?.content[1]).toMatchObject({ content: { outputRef: invocation?.outputRef } });
    expect(await client.readOutput('read', invocation?.outputRef ?? '')).toBe('x'.repeat(limit));
    expect(client.state.invocations.get('read')?.output).toBe('x'.repeat(limit));
  });

  it('sends no reference for an empty result [A6]', async () => {
    const end = endIn(await toolEvents((await served('x'.repeat(limit), { resultCount: 0 })).url, 'Go'));
    expect(end).toEqual({
      type: 'tool_call_end',
      toolCallId: 'read',
      summary: 'Read it.',
      resultCount: 0,
      durationMs: expect.any(Number),
    });
  });
});

describe('results that are streams', () => {
  const row = 'Grüße, "row" 😀 \u0000\n';
  const text = row.repeat(60_000);

  /** A tool that returns its text byte by byte, or almost. */
  async function streaming() {
    const bytes = new TextEncoder().encode(text);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let from = 0; from < bytes.length; from += 99_991) {
          controller.enqueue(bytes.subarray(from, from + 99_991));
        }
        controller.close();
      },
    });
    const result = largeResult({ summary: 'All rows.', resultCount: 60_000, text: body });
    const read = tool({ inputSchema: z.object({}), execute: () => result });
    const script = [[{ call: 'read', id: 'read' }], [{ text: 'Done.' }]];
    return serveDialects(script, { tools: { read } });
  }

  it('send their summary immediately, and their complete text when the result is read [A6, A18]', async () => {
    const { url } = await streaming();
    const client = new ToolEventsClient({ url });
    await collect(client.send('Go'));
    const [invocation] = client.state.invocations.values();
    expect(invocation).toMatchObject({ summary: 'All rows.', resultCount: 60_000 });
    expect(invocation).not.toHaveProperty('output');
    expect((await client.readOutput('read', invocation?.outputRef ?? '')) === text).toBe(true);
  });

  it('are truncated on the chat socket, and can be fetched with its credentials [D19, S12]', async () => {
    const { url } = await streaming();
    const clientOf = (user: string) =>
      new ChatSocketClient({ url, WebSocket, headers: () => ({ [userHeader]: user }) });
    const client = clientOf('ada');
    const frames = await collect(client.send('Go'));
    client.close();
    const frame = frames.find((each) => each.type === 'tool_complete');
    const original_length = Buffer.byteLength(text);
    expect(frame).toMatchObject({ tool_result: 'All rows.', truncated: true, original_length });
    const chat = frame?.conversation_id ?? '';
    const { output, ...result } = await client.result(chat, 'read');
    expect([result, output === text]).toEqual([{ toolCallId: 'read', toolName: 'read' }, true]);
    const stranger = clientOf('mallory').result(chat, 'read');
    await expect(stranger).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });

  it('is cut off if its chat is erased while it is read [A6]', async () => {
    const { url, flow } = await streaming();
    const [start] = await toolEvents(url, 'Go');
    const chatId = parseChatId(start?.type === 'message_start' ? start.conversationId : '');
    const parts = await flow.chats.resultText({
      principal: ada,
      chatId,
      toolCallId: parseToolCallId('read'),
    });
    const reading = parts?.[Symbol.asyncIterator]();
    expect((await reading?.next())?.value).toMatch(/^Grüße/);
    await flow.chats.erase({ principal: ada, chatId });
    await expect(reading?.next()).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('results that are too long to keep', () => {
  it.each([
    ['4 MiB', {}, 4 * 1024 * 1024],
    ['the setting', { maxOutputBytes: 1_000 }, 1_000],
  ])(
    'are kept up to %s; beyond it people and the model read the tool, the size and the limit [A6]',
    async (_what, settings, most) => {
      const outputs = ['x'.repeat(most - 2), 'x'.repeat(most - 1)];
      const read = tool({ inputSchema: z.object({}), execute: async () => outputs.shift() });
      const script = [[{ call: 'read', id: 'kept' }], [{ call: 'read', id: 'dropped' }], [{ text: 'Done.' }]];
      const { url, model } = await serveDialects(script, { tools: { read }, ...settings });
      const ends = (await toolEvents(url, 'Go')).filter((frame) => frame.type === 'tool_call_end');
      expect(ends.map(({ resultCount }) => resultCount)).toEqual([1, 0]);
      const text = `read ran, but its result has ${most + 1} bytes, more than the ${most} that are kept.`;
      expect(ends[1]?.summary).toBe(text);
      const prompt = JSON.stringify(model.calls.at(-1)?.prompt.at(-1));
      expect(prompt.includes(text) && prompt.includes('error-text')).toBe(true);
    },
  );
});

describe('the size of a JSON value', () => {
  it.each<[string, unknown]>([
    ['a text', 'Grüße\u0000"\\'],
    ['numbers', [-Number.MAX_VALUE, 0, 1e21]],
    ['nested values', { a: [{}, [], null, true], 'a "key"': { b: 'c' } }],
    ['nothing', null],
  ])('is compared exactly: %s', (_what, value) => {
    const bytes = Buffer.byteLength(JSON.stringify(value));
    expect([isLongerJson(value, bytes - 1), isLongerJson(value, bytes)]).toEqual([true, false]);
  });

  it('looks at no more of a list than the limit', () => {
    let seen = 0;
    const list = new Proxy(Array(1_000_000).fill(1), {
      get: (target, key, receiver) => {
        seen += 1;
        return Reflect.get(target, key, receiver);
      },
    });
    expect(isLongerJson(list, 100)).toBe(true);
    expect(seen).toBeLessThan(500);
  });
});
