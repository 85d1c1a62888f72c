import { once } from 'node:events';
import WebSocket from 'ws';
import { sharedNow } from './server/wire-model.ts';
import type { WireName } from './wires.ts';

/** Bytes that came, none of which was parsed, and when the last of them did. */
export type Received = { readonly bytes: Buffer; readonly lastAt: number };

/** Sends a message in a new chat over one wire, and reads the turn to its end. */
type Send = (url: string, text: string) => Promise<Received>;

/** How each wire begins a turn. */
export const sends: Readonly<Record<WireName, Send>> = {
  'UI stream (SSE)': (url, text) => post(`${url}/api/chat`, uiRequest(text)),
  'UI stream (BIDI)': (url, text) => {
    const { id, trigger, message } = uiRequest(text);
    const frame = { type: 'send', requestId: id, id, trigger, headers: {}, messages: [], body: { message } };
    return overSocket(`${url}/api/chat/socket`, frame, /"type":"(end|error)"/);
  },
  'tool events': (url, text) => post(`${url}/api/dialects/tool-events`, { message: text }),
  'two-step stream': async (url, text) => {
    const begun = await post(`${url}/api/chat/message`, { message: text });
    const stream = await get(`${url}/api/chat/stream/${JSON.parse(String(begun.bytes)).stream_id}`);
    return { ...stream, bytes: Buffer.concat([begun.bytes, stream.bytes]) };
  },
  'chat socket': (url, text) =>
    overSocket(
      `${url}/api/dialects/chat-socket`,
      { type: 'message', content: text },
      /"type":"complete"|"LLM_ERROR"/,
    ),
  Responses: (url, text) => post(`${url}/v1/responses`, { input: text, stream: true }),
};

/** Reads a response. @throws Error for a status that is no success */
export function get(url: string): Promise<Received> {
  return read(url, {});
}

function post(url: string, body: object): Promise<Received> {
  const headers = { 'content-type': 'application/json' };
  return read(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function read(url: string, init: RequestInit): Promise<Received> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url} was answered with ${response.status}: ${await response.text()}`);
  const pieces: Uint8Array[] = [];
  const body: AsyncIterable<Uint8Array> = response.body ?? new ReadableStream();
  for await (const piece of body) pieces.push(piece);
  const lastAt = sharedNow();
  return { bytes: Buffer.concat(pieces), lastAt };
}

/** @param last matches the frame that ends the turn, which is short */
async function overSocket(url: string, frame: object, last: RegExp): Promise<Received> {
  const socket = new WebSocket(url.replace('http:', 'ws:'));
  await once(socket, 'open');
  const pieces: Buffer[] = [];
  const ended = Promise.withResolvers<number>();
  socket.on('message', (data: Buffer) => {
    pieces.push(data);
    if (data.byteLength < 1_000 && last.test(String(data))) ended.resolve(sharedNow());
  });
  socket.on('close', () => ended.reject(new Error(`${url} closed.`)));
  socket.send(JSON.stringify(frame));
  const lastAt = await ended.promise;
  socket.close();
  return { bytes: Buffer.concat(pieces), lastAt };
}

function uiRequest(text: string) {
  const id = crypto.randomUUID();
  const message = { id, role: 'user', parts: [{ type: 'text', text }] };
  return { id, trigger: 'submit-message', message };
}
