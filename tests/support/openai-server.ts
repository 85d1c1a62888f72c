import { serve } from '../../lib/testing/server/serve.ts';
import { faultOf, type RequestBody, requestBody } from './openai-rules.ts';
import { isItem, type ScriptedResponse } from './openai-script.ts';
import { itemEvents, responseEvent, type WireEvent, wireItem } from './openai-wire.ts';

/** A server that plays a script, and its requests. */
export type ResponsesServer = {
  /** For `baseURL` and `OPENAI_BASE_URL`; ends in `/v1`. */
  readonly url: string;
  /** The bodies of all requests so far, including refused ones. */
  readonly requests: readonly RequestBody[];
  /** Resolves when this many requests have arrived. */
  arrived(count: number): Promise<void>;
  close(): Promise<void>;
};

/** Awaited before each piece of a response's text is sent; pieces are counted from 0. An item's text has two. */
export type BeforeDelta = (piece: number) => Promise<void>;

/**
 * OpenAI's Responses API on the loopback interface, limited to its streams. `POST /v1/responses` plays one scripted
 * response per request: the next of a list, or the result of a function of the request. It stores what it streamed,
 * unless the request says `store: false`, and refuses input that the API would refuse. So tests prove that follow-up
 * requests are valid.
 *
 * @param beforeDelta default: text is sent as fast as it is read
 */
export async function serveResponses(
  script: readonly ScriptedResponse[] | ((body: RequestBody, number: number) => ScriptedResponse),
  beforeDelta?: BeforeDelta,
): Promise<ResponsesServer> {
  const requests: RequestBody[] = [];
  const stored = new Map<string, string>();
  const waiting: { count: number; resolve: () => void }[] = [];

  const served = await serve({
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (request.method !== 'POST' || pathname !== '/v1/responses') return refusal(404, 'Not found.');
      if (!request.headers.get('authorization')?.startsWith('Bearer ')) return refusal(401, 'No key.');
      const body = requestBody.parse(await request.json());
      const number = requests.push(body) - 1;
      for (const { count, resolve } of waiting) if (count <= requests.length) resolve();
      const fault = faultOf(body, stored);
      if (fault !== undefined) return refusal(400, fault);
      const response = typeof script === 'function' ? script(body, number) : script[number];
      if (!response) return refusal(400, `The script has no response ${number}.`);
      if ('refuse' in response) return refusal(response.refuse, response.message);
      return play(response, body, `resp_${number}`);
    },
  });

  function play(parts: Exclude<ScriptedResponse, { refuse: number }>, body: RequestBody, id: string) {
    const withEncrypted = body.include?.includes('reasoning.encrypted_content') === true;
    const items = parts.filter(isItem);
    const output = items.map((item) => wireItem(item, withEncrypted));
    if (body.store !== false) for (const item of output) stored.set(item.id, item.type);
    const early = parts.find((part) => !isItem(part));
    const head = { id, model: body.model };
    return stream(
      [
        responseEvent('response.created', head),
        responseEvent('response.in_progress', head),
        ...items.flatMap((item, index) => itemEvents(item, index, withEncrypted)),
        ...(early === undefined ? [responseEvent('response.completed', { ...head, output })] : []),
        ...(early && 'error' in early
          ? [{ type: 'error', code: 'server_error', message: early.error, param: null }]
          : []),
      ],
      early && 'breaksOff' in early ? early.breaksOff : 'no',
      beforeDelta,
    );
  }

  return {
    url: `${served.url}/v1`,
    requests,
    arrived: (count) =>
      new Promise((resolve) => {
        if (count <= requests.length) resolve();
        else waiting.push({ count, resolve });
      }),
    close: () => served.close(),
  };
}

function stream(
  events: readonly WireEvent[],
  breaksOff: 'no' | 'connection' | 'never',
  beforeDelta: BeforeDelta = async () => {},
): Response {
  let number = 0;
  let pieces = 0;
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const event = events[number];
      if (event) {
        if (event.type === 'response.output_text.delta') {
          await beforeDelta(pieces);
          pieces += 1;
        }
        const data = JSON.stringify({ ...event, sequence_number: number });
        controller.enqueue(encoder.encode(`event: ${event.type}\ndata: ${data}\n\n`));
        number += 1;
      } else if (breaksOff === 'no') controller.close();
      else if (breaksOff === 'connection') controller.error(new Error('The script says so.'));
      else await new Promise<void>(() => {});
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
}

function refusal(status: number, message: string): Response {
  const type =
    status === 429 ? 'rate_limit_exceeded' : status < 500 ? 'invalid_request_error' : 'server_error';
  return Response.json({ error: { message, type, param: null, code: null } }, { status });
}
