import type { WebSocket } from 'node:http';
import type { MalformedReply } from '../wire/wire.ts';

/** A frame that no chat client sends, and what is wrong with it. */
type MalformedFrame = { readonly what: string; readonly frame: string };

/** If the backend is silent for this long, it ignored the frame. */
const silenceLimitMilliseconds = 2_000;

/** Frames that must be refused, from one that is not JSON to one that is almost valid. */
export function malformedFrames(chatId: string): readonly MalformedFrame[] {
  const send = { requestId: 'malformed', id: chatId, headers: {}, body: {} };
  return [
    { what: 'a frame that is not JSON', frame: '{"type":' },
    { what: 'a frame without a type', frame: JSON.stringify({ requestId: 'malformed' }) },
    { what: 'a frame of an unknown type', frame: JSON.stringify({ ...send, type: 'shout' }) },
    {
      what: 'messages that are not a list',
      frame: JSON.stringify({ ...send, type: 'send', trigger: 'submit-message', messages: 'all of them' }),
    },
  ];
}

/**
 * Sends a frame over its own socket, which is then closed. An `error` frame or a closed socket passes; another frame,
 * or silence, is a difference.
 */
export async function sendMalformedFrame(
  settings: MalformedFrame & {
    readonly socket: InstanceType<typeof WebSocket>;
    readonly signal: AbortSignal;
  },
): Promise<MalformedReply> {
  const { socket, what, frame, signal } = settings;
  const { promise, resolve } = Promise.withResolvers<MalformedReply>();
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(silenceLimitMilliseconds)]);
  let opened = false;
  timeout.addEventListener('abort', () =>
    resolve({
      what,
      verdict: opened ? 'differs' : 'hangs',
      reply: opened ? 'the frame was ignored' : 'the socket did not open',
    }),
  );
  socket.addEventListener('open', () => {
    opened = true;
    socket.send(frame);
  });
  socket.addEventListener('message', ({ data }) => {
    const isError = /"type"\s*:\s*"error"/.test(String(data));
    resolve({
      what,
      verdict: isError ? 'refused' : 'differs',
      reply: isError ? 'an error frame' : 'another frame',
    });
  });
  socket.addEventListener('close', ({ code }) =>
    resolve({ what, verdict: opened ? 'refused' : 'hangs', reply: `the socket was closed (${code})` }),
  );
  const reply = await promise;
  socket.close();
  return reply;
}
