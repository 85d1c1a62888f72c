import {
  type ChatTransport,
  DefaultChatTransport,
  type ToolExecutionOptions,
  type ToolSet,
  tool,
  type UIMessage,
  type UIMessageChunk,
} from 'ai';
import type { CallContext } from 'countersign';
import { collect, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseChatId } from '../../lib/protocol/index.ts';
import { barrier } from '../support/barrier.ts';
import { bidiClient, sseClient } from '../support/chat-clients.ts';
import { clientMessage, plain } from '../support/client-message.ts';
import { ada, questionIn } from '../support/flow-fixture.ts';
import { serveFixture } from '../support/serve-fixture.ts';

type Connect = (url: string) => ChatTransport<UIMessage>;

const transports: [string, Connect][] = [
  ['SSE', (url) => sseClient.connect(url).transport],
  ['SSE, full history', (url) => new DefaultChatTransport({ api: `${url}/api/chat` })],
  ['WebSocket', (url) => bidiClient.connect(url).transport],
];

const rows = transports.flatMap(([name, connect]) =>
  (['final', 'progressive'] as const).map((release) => ({ name, connect, release })),
);

const user = { id: 'user-1', role: 'user', parts: [{ type: 'text', text: 'Pay.' }] } satisfies UIMessage;
const script: ScriptedStep[] = [
  [{ text: 'May I?' }, { call: 'pay', id: 'pay-1', input: {} }],
  [{ text: 'Paid.' }],
];

/** A payment that reports in data parts. It waits in the middle. */
function paying() {
  const half = barrier();
  const done = barrier();
  const pay = tool({
    inputSchema: z.object({}),
    needsApproval: true,
    execute: async (_input, { context: { writer } }: ToolExecutionOptions<CallContext>) => {
      await writer.write({ type: 'data-state', id: 'state', data: 'sent' });
      await writer.write({ type: 'data-log', data: 'line 1', transient: true });
      half.lift();
      await done.wait;
      await writer.write({ type: 'data-state', id: 'state', data: 'confirmed' });
      return 'paid';
    },
  });
  return { tools: { pay } as ToolSet, half, done };
}

const own = ({ type }: { type: string }) =>
  type === 'data-state' || type === 'data-log' || type === 'data-note';
const written = (chunks: readonly UIMessageChunk[]) =>
  chunks.filter(own).map((chunk) => 'data' in chunk && chunk.data);

describe('data parts of a tool and of a route [T3, T6, T11, H2, H4]', () => {
  it.each(rows)(
    'over $name, $release: reach the page, its reload, and a reader that resumes',
    async (row) => {
      const { connect, release } = row;
      const { tools, half, done } = paying();
      const { url, flow, api } = await serveFixture(script, { release, tools });
      const transport = connect(url);
      const client = clientMessage();
      const send = (...messages: UIMessage[]) =>
        transport.sendMessages({
          chatId: 'chat',
          trigger: 'submit-message',
          messageId: undefined,
          messages,
          abortSignal: undefined,
        });
      const first = await collect(await send(user));
      await client.read(first);
      client.answer(questionIn(first), true);

      const response = send(user, client.value).then(collect);
      await half.wait;
      const resumed = connect(url).reconnectToStream({ chatId: 'chat' });
      const chatId = parseChatId('chat');
      await flow.chats
        .writer({ chatId, principal: ada })
        .write({ type: 'data-note', data: { from: 'route' } });
      const replay = resumed.then((stream) => collect(stream as ReadableStream<UIMessageChunk>));
      done.lift();

      const states =
        release === 'final' ? ['confirmed', { from: 'route' }] : ['sent', { from: 'route' }, 'confirmed'];
      const chunks = await response;
      expect(written(chunks).filter((data) => data !== 'line 1')).toEqual(states);
      expect(written(chunks)).toContain('line 1');
      await client.read(chunks);
      const stored: UIMessage[] = (await (await fetch(`${api}/chat`)).json()).messages;
      expect(stored[1]).toEqual(client.value);
      expect(client.value.parts.filter(own).map((part) => 'data' in part && plain(part.data))).toEqual([
        'confirmed',
        { from: 'route' },
      ]);
      const other = clientMessage();
      await other.read(await replay);
      expect(other.value.parts.filter(own)).toEqual(client.value.parts.filter(own));
    },
  );
});
