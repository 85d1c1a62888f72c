import { once } from 'node:events';
import { safeValidateTypes } from '@ai-sdk/provider-utils';
import { type UIMessageChunk, uiMessageChunkSchema, type WebSocketChatTransportResponse } from 'ai';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { type ConnectRaw, type RawResponse, Refused } from './raw-client.ts';
import { userHeader } from './serve-fixture.ts';

type Frame = WebSocketChatTransportResponse;

/** The receiver of the frames of one request. */
type Inbox = { take(frame: Frame): void; fail(error: Error): void };

/** Receives frames in transit after their reader has left. */
const ignored: Inbox = { take: () => {}, fail: () => {} };

/** A client with `ws`, over one socket for all its requests. */
export const connectBidi: ConnectRaw = async (url, user) => {
  const headers = user === undefined ? {} : { [userHeader]: user };
  const socket = new WebSocket(`${url.replace('http:', 'ws:')}/api/chat/socket`, { headers });
  onTestFinished(() => socket.terminate());
  const inboxes = new Map<string, Inbox>();
  socket.on('message', (data) => {
    const frame: Frame = JSON.parse(String(data));
    const inbox = inboxes.get(frame.requestId);
    if (!inbox) throw new Error(`A frame arrived without a receiver, or after the end: ${data}`);
    if (frame.type !== 'start' && frame.type !== 'chunk') inboxes.delete(frame.requestId);
    inbox.take(frame);
  });
  socket.on('close', (code) => {
    for (const inbox of inboxes.values()) inbox.fail(new Error(`The socket was closed (${code}).`));
  });
  await once(socket, 'open');
  let count = 0;

  async function ask(frame: Readonly<Record<string, unknown>>): Promise<RawResponse | null> {
    const requestId = `request-${++count}`;
    const frames = new ReadableStream<Frame>({
      start(controller) {
        inboxes.set(requestId, {
          take(frame) {
            controller.enqueue(frame);
            if (frame.type !== 'start' && frame.type !== 'chunk') controller.close();
          },
          fail: (error) => controller.error(error),
        });
      },
    }).getReader();
    socket.send(JSON.stringify({ requestId, headers: {}, body: {}, ...frame }));
    const { value: first } = await frames.read();
    if (first?.type === 'error') throw new Refused(first.errorText ?? '');
    if (first?.type === 'no-active') return null;
    if (first?.type !== 'start') throw new Error(`A response starts with ${JSON.stringify(first)}`);
    return chunksOf(frames, () => {
      inboxes.set(requestId, ignored);
      socket.send(JSON.stringify({ type: 'abort', requestId }));
    });
  }

  return {
    async open({ id, trigger, messageId, messages = [], ...body }) {
      const response = await ask({ type: 'send', id, trigger, messageId, messages, body });
      if (!response) throw new Error('A request for a response was answered with "nothing is active".');
      return response;
    },
    resume: (chatId) => ask({ type: 'resume', id: chatId }),
  };
};

async function* chunksOf(frames: ReadableStreamDefaultReader<Frame>, abort: () => void): RawResponse {
  let sequence = 0;
  let isOver = false;
  try {
    for (let next = await frames.read(); !next.done; next = await frames.read()) {
      const frame = next.value;
      if (frame.type === 'end') isOver = true;
      else if (frame.type === 'chunk' && frame.sequence === sequence && !isOver) {
        sequence += 1;
        yield await parseChunk(frame.chunk);
      } else throw new Error(`Frame ${sequence} of a response is ${JSON.stringify(frame)}`);
    }
    if (!isOver) throw new Error('A response ended without an `end` frame.');
  } finally {
    if (!isOver) abort();
  }
}

async function parseChunk(value: unknown): Promise<UIMessageChunk> {
  const parsed = await safeValidateTypes({ value, schema: uiMessageChunkSchema });
  if (parsed.success) return parsed.value;
  throw new Error(`A chunk does not fit the UI message stream: ${JSON.stringify(value)}`);
}
