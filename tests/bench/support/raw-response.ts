import { once } from 'node:events';
import WebSocket from 'ws';

/** A response as bytes. Times in milliseconds after its request. */
export type RawResponse = {
  /** When a mark (such as a chunk's type) was first seen. */
  readonly marked: number;
  readonly last: number;
  readonly bytes: number;
};

/** Posts to a chat API and reads everything, parsing nothing. */
export async function rawPost(url: string, body: object, mark: string): Promise<RawResponse> {
  return read(`${url}/api/chat`, mark, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Gets a stream and reads everything, parsing nothing. */
export function rawGet(url: string): Promise<RawResponse> {
  return read(url, 'data:');
}

async function read(url: string, mark: string, init?: RequestInit): Promise<RawResponse> {
  const start = performance.now();
  const response = await fetch(url, init);
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}.`);
  let marked: number | undefined;
  let bytes = 0;
  const stream: AsyncIterable<Uint8Array> = response.body ?? new ReadableStream();
  for await (const piece of stream) {
    bytes += piece.byteLength;
    if (marked === undefined && Buffer.from(piece).includes(mark)) marked = performance.now() - start;
  }
  return { marked: marked ?? Number.NaN, last: performance.now() - start, bytes };
}

/** A socket to a chat API, for one request at a time. */
export async function rawSocket(url: string) {
  const socket = new WebSocket(url.replace('http:', 'ws:'));
  await once(socket, 'open');
  return {
    async send(id: string, message: object, mark: string): Promise<RawResponse> {
      const start = performance.now();
      let marked: number | undefined;
      let bytes = 0;
      const ended = Promise.withResolvers<number>();
      const take = (data: Buffer) => {
        bytes += data.byteLength;
        if (marked === undefined && data.includes(mark)) marked = performance.now() - start;
        // The last frame is short, and only it and an error are of these types.
        if (data.byteLength < 1_000 && /"type":"(end|error)"/.test(data.toString()))
          ended.resolve(performance.now() - start);
      };
      socket.on('message', take);
      const messages = [{ id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text: '' }] }];
      const frame = { type: 'send', requestId: id, id, trigger: 'submit-message', headers: {}, messages };
      socket.send(JSON.stringify({ ...frame, body: { message } }));
      const last = await ended.promise;
      socket.off('message', take);
      return { marked: marked ?? Number.NaN, last, bytes };
    },
    close: () => socket.close(),
  };
}
