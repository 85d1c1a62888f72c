import { APICallError, DefaultChatTransport } from 'ai';
import { malformedBodies, sendMalformedBody } from '../probes/malformed-bodies.ts';
import { errorCodeOf, type Wire, type WireFault } from './wire.ts';

const marker = 'x-vercel-ai-ui-message-stream';

/**
 * A backend over HTTP, through the SDK's `DefaultChatTransport`: the whole history as the request body, server-sent
 * events as the response.
 *
 * @source H1, H2
 */
export function sseWire(url: string, headers: Readonly<Record<string, string>>): Wire {
  let pending: Promise<readonly WireFault[]>[] = [];
  const transport = new DefaultChatTransport({
    api: url,
    headers: { ...headers },
    async fetch(input, init) {
      const response = await globalThis.fetch(input, init);
      if (!response.ok || !response.body) return response;
      const [forTransport, forCheck] = response.body.tee();
      pending.push(faultsOf(response.headers, forCheck));
      return new Response(forTransport, response);
    },
  });
  return {
    name: 'SSE',
    address: url,
    formRule: 'H1',
    transport,
    refusalOf(error) {
      if (!APICallError.isInstance(error) || error.statusCode === undefined) return undefined;
      const text = error.responseBody ?? '';
      return { status: error.statusCode, code: errorCodeOf(text), text };
    },
    async takeFaults() {
      const faults = await Promise.all(pending);
      pending = [];
      return faults.flat();
    },
    async sendMalformed(budget, chatId) {
      const replies = [];
      for (const body of malformedBodies(chatId)) {
        replies.push(await sendMalformedBody({ url, headers, ...body, signal: budget.take() }));
        budget.assertTime();
      }
      return replies;
    },
    close() {},
  };
}

async function faultsOf(
  headers: Headers,
  body: NonNullable<Response['body']>,
): Promise<readonly WireFault[]> {
  const faults: WireFault[] = [];
  const type = headers.get('content-type') ?? 'nothing';
  if (!/^text\/event-stream\b/i.test(type)) {
    faults.push({ status: 'differs', message: `content-type is ${type}, not text/event-stream` });
  }
  if (headers.get(marker) !== 'v1') {
    faults.push({ status: 'differs', message: `there is no header ${marker}: v1` });
  }
  let text = '';
  try {
    for await (const piece of body.pipeThrough(new TextDecoderStream())) text += piece;
  } catch {
    // The transport reports the same break.
    return faults;
  }
  const events = text.split(/\r?\n/).filter((line) => /^data:/.test(line));
  const ends = events.filter((line) => /^data: ?\[DONE\]\s*$/.test(line));
  if (ends.length !== 1 || events.at(-1) !== ends[0]) {
    const message =
      ends.length === 0 ? 'the stream ends without [DONE]' : 'the stream continues after its [DONE]';
    faults.push({ status: 'fail', message });
  }
  return faults;
}
