import { once } from 'node:events';
import { type UIMessageChunk, uiMessageChunkSchema, WebSocketChatTransport } from 'ai';
import * as kit from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';

const call = { id: 'a', tool: 'pay', input: { amount: 1 } };
const turn: readonly (readonly [name: string, chunks: UIMessageChunk[]])[] = [
  ['a question', kit.questionResponse(call)],
  [
    'an intermediate response',
    kit.questionResponse({ ...call, id: 'b' }, { continues: { approvalId: 'approval-a', approved: true } }),
  ],
  ['a final response', kit.finalResponse({ texts: ['Done.'], outcomes: [kit.output('a'), kit.denial('b')] })],
];

describe('complete responses', () => {
  it.each(turn)('%s can be read from server-sent events', async (_name, chunks) => {
    const response = kit.sseResponse(chunks);
    expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1');
    expect(await kit.readResponse(response)).toEqual(chunks);
  });

  it.each(turn)('%s can be read from the frames of a socket by the SDK', async (_name, chunks) => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    server.on('connection', (socket) =>
      socket.on('message', (data) => {
        const { requestId } = JSON.parse(String(data));
        for (const frame of kit.bidiFrames(requestId, chunks)) socket.send(JSON.stringify(frame));
      }),
    );
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const transport = new WebSocketChatTransport({ url: `ws://127.0.0.1:${port}` });
    onTestFinished(() => transport.close());
    const stream = await transport.sendMessages({
      trigger: 'submit-message',
      chatId: 'chat',
      messageId: undefined,
      messages: [],
      abortSignal: undefined,
    });
    expect(await kit.collect(stream)).toEqual(chunks);
  });

  it('are made of chunks that fit the SDK’s schema', async () => {
    const { validate } = uiMessageChunkSchema();
    for (const chunk of turn.flatMap(([, chunks]) => chunks)) {
      expect(await validate?.(chunk)).toMatchObject({ success: true });
    }
    expect(kit.checkResponseTiming(turn.map(([, chunks]) => chunks))).toEqual([]);
  });
});
