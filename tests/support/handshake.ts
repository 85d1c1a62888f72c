import { WebSocket } from 'ws';

/** How a server responds to a WebSocket handshake: 101 if it accepts it, or the status of its refusal. */
export async function handshake(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers });
  const status = Promise.withResolvers<number>();
  socket.on('open', () => status.resolve(101));
  socket.on('unexpected-response', (_request, { statusCode }) => status.resolve(statusCode ?? 0));
  socket.on('error', status.reject);
  try {
    return await status.promise;
  } finally {
    socket.terminate();
  }
}
