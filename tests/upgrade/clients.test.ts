import { once } from 'node:events';
import { safeValidateTypes } from '@ai-sdk/provider-utils';
import type { ToolSet } from 'ai';
import { type UIMessageChunk, uiMessageChunkSchema } from 'ai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { messageOf } from '../support/client-message.ts';
import { questionIn } from '../support/flow-fixture.ts';
import { serveFixture } from '../support/serve-fixture.ts';
import { fixtureTools, followOrders } from './fixture-flow.ts';
import { recorded } from './support/restored.ts';

type Frame = { readonly type: string; readonly requestId: string; readonly chunk?: unknown };

/** The frames that the SDK knew at that time. On any other it closes the socket. */
const known = ['start', 'chunk', 'end', 'error', 'no-active'];

/** Sends recorded frames one by one. Returns the frames of each response. */
async function connect(url: string) {
  const socket = new WebSocket(`${url.replace('http:', 'ws:')}/api/chat/socket`);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  return async (text: string): Promise<Frame[]> => {
    const { requestId } = JSON.parse(text);
    const frames: Frame[] = [];
    const ended = Promise.withResolvers<Frame[]>();
    socket.on('close', (code) => ended.reject(new Error(`The socket was closed (${code}).`)));
    socket.on('message', (data) => {
      const frame: Frame = JSON.parse(String(data));
      if (frame.requestId !== requestId) return;
      frames.push(frame);
      if (frame.type !== 'start' && frame.type !== 'chunk') ended.resolve(frames);
    });
    socket.send(text);
    return ended.promise;
  };
}

async function chunksOf(frames: readonly Frame[]): Promise<UIMessageChunk[]> {
  expect(frames.filter(({ type }) => !known.includes(type))).toEqual([]);
  expect(frames.at(-1)?.type).toBe('end');
  const chunks = frames.flatMap(({ type, chunk }) => (type === 'chunk' ? [chunk] : []));
  return Promise.all(
    chunks.map(async (value) => {
      const parsed = await safeValidateTypes({ value, schema: uiMessageChunkSchema });
      if (!parsed.success) throw parsed.error;
      return parsed.value;
    }),
  );
}

describe('a page of the previous version that is still open', () => {
  it('is served over its socket: its message, its answer, its resume', async () => {
    const { tools, ran } = fixtureTools();
    const { url } = await serveFixture(followOrders, { tools: tools as ToolSet });
    const send = await connect(url);
    const [message = '', answer = '', resume = '', next = ''] = (await recorded<object>('frames.ndjson')).map(
      (frame) => JSON.stringify(frame),
    );

    const asked = await chunksOf(await send(message));
    const { id } = await messageOf(asked);
    const said = answer.replaceAll('QUESTION', questionIn(asked)).replaceAll('ANSWER', id);
    const ended = await messageOf([...asked, ...(await chunksOf(await send(said)))]);
    expect(ran).toEqual(['pay:call-1-0']);
    expect(ended.parts.at(-1)).toMatchObject({ type: 'text', text: 'Done.' });

    await chunksOf(await send(resume));
    expect(ran).toEqual(['pay:call-1-0']);
    const answered = await messageOf(await chunksOf(await send(next)));
    expect(answered.parts.at(-1)).toMatchObject({ type: 'text', text: 'You said: Thanks.' });
  });
});
