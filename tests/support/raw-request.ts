import { once } from 'node:events';
import { request } from 'node:http';

/** One HTTP request. Unlike `fetch`, it can send any Host and Origin, like a hostile client. */
export type RawRequest = {
  readonly method: string;
  /** Including the server's address: `http://127.0.0.1:41234/api/chat`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

/**
 * Sends one request and reads the whole response; of a feed that stays open, the first chunk.
 *
 * @param isEnough stops reading a feed when enough was read; default: after any data
 */
export async function sendRaw(
  { method, url, headers, body }: RawRequest,
  isEnough: (text: string) => boolean = (text) => text !== '',
): Promise<{ readonly status: number; readonly text: string; readonly headers: Headers }> {
  const sent = body === undefined ? '' : JSON.stringify(body);
  const length = sent === '' ? {} : { 'content-length': String(Buffer.byteLength(sent)) };
  const outgoing = request(url, { method, headers: { ...headers, ...length }, agent: false });
  outgoing.end(sent);
  const [incoming] = await once(outgoing, 'response');
  const isFeed = new URL(url).pathname.endsWith('/events');
  let text = '';
  for await (const piece of incoming) {
    text += piece;
    if (isFeed && isEnough(text)) break;
  }
  const pairs = Object.entries<string | string[]>(incoming.headers).flatMap(([name, value]) =>
    [value].flat().map((item): [string, string] => [name, item]),
  );
  return { status: incoming.statusCode, text, headers: new Headers(pairs) };
}
