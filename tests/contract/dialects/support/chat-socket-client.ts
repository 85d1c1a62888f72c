import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { type ServerFrame, serverFrameSchemas } from '../../../../lib/plugins/chat-socket/client/schema.ts';
import { userHeader } from '../../../support/serve-fixture.ts';

/** A client of dialect D by `ws`. Every frame is held to its schema, without what sets itself on the way in. */
export async function connectChatSocket(url: string, user?: string) {
  const headers = user === undefined ? {} : { [userHeader]: user };
  const socket = new WebSocket(`${url.replace('http:', 'ws:')}/api/dialects/chat-socket`, { headers });
  onTestFinished(() => socket.terminate());
  const frames: ServerFrame[] = [];
  const waiting = new Set<() => void>();
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => {});
  socket.on('message', (data) => {
    try {
      frames.push(parseFrame(String(data)));
    } catch (error) {
      broken.reject(error);
    }
    for (const look of waiting) look();
  });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await once(socket, 'open');

  /** Resolves with all frames, once they are what the test waits for. */
  const until = (isEnough: (frames: readonly ServerFrame[]) => boolean): Promise<readonly ServerFrame[]> =>
    Promise.race([
      broken.promise,
      new Promise<readonly ServerFrame[]>((resolve) => {
        const look = () => isEnough(frames) && waiting.delete(look) && resolve(frames);
        waiting.add(look);
        look();
      }),
    ]);

  return {
    socket,
    frames,
    closed,
    until,
    send: (frame: object | string) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    /** Sends a message, as a client that shows questions. */
    say: (content: string, more: object = {}) =>
      socket.send(JSON.stringify({ type: 'message', content, accept_approvals: true, ...more })),
    /** Resolves with the first frame of a type, or the `nth` (from 1). */
    async frame<Type extends ServerFrame['type']>(type: Type, nth = 1) {
      const ofType = () => frames.filter((frame) => frame.type === type);
      await until(() => ofType().length >= nth);
      return ofType()[nth - 1] as Extract<ServerFrame, { type: Type }>;
    },
    /** Resolves with all frames up to the first `complete`, or the `nth`. */
    complete: (nth = 1) => until((all) => all.filter(({ type }) => type === 'complete').length >= nth),
  };
}

/** What every frame of a turn has. */
export const ofTurn = { conversation_id: expect.any(String), message_id: expect.any(String) };

/** The types of frames without `started`, runs of tokens as one. */
export function frameTypes(frames: readonly ServerFrame[]): string[] {
  return frames
    .map(({ type }) => type)
    .filter((type) => type !== 'started')
    .filter((type, index, all) => type !== 'token' || all[index - 1] !== type);
}

function parseFrame(text: string): ServerFrame {
  const value: { type: ServerFrame['type'] } = JSON.parse(text);
  const schema = serverFrameSchemas[value.type];
  if ('timestamp' in schema.shape && !('timestamp' in value)) throw new Error(`No timestamp: ${text}`);
  return schema.strict().parse(value) as ServerFrame;
}
