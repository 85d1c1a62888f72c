import { serve } from '../../../lib/testing/server/serve.ts';
import type { Provider } from './provider.ts';
import type { EarlyEnd, Piece, Reply, WireEvent } from './reply.ts';

/** A service on a loopback port that plays a script, and what it was asked. */
export type ServedProvider = {
  readonly url: string;
  /** The bodies of all requests, also refused ones. */
  readonly requests: readonly unknown[];
  /** What the service has refused, by its documentation. */
  readonly refusals: readonly string[];
  /** Resolves when this many requests have arrived. */
  arrived(count: number): Promise<void>;
  close(): Promise<void>;
};

/**
 * Serves a provider's streams. Each request that the service accepts takes the next reply of the script.
 */
export async function serveProvider(provider: Provider, script: readonly Reply[]): Promise<ServedProvider> {
  const service = provider.open();
  const requests: unknown[] = [];
  const refusals: string[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];

  /** The header makes the package retry at once. */
  const failed = (status: number, message: string) =>
    Response.json(service.error(message), { status, headers: { 'retry-after-ms': '0' } });
  const served = await serve({
    async fetch(request) {
      const body: unknown = await request.json();
      requests.push(body);
      for (const { count, resolve } of waiting) if (count <= requests.length) resolve();
      const fault = service.faultOf(body);
      if (fault !== undefined) {
        refusals.push(fault);
        return failed(400, fault);
      }
      const number = requests.length - 1 - refusals.length;
      const reply = script[number];
      if (!reply) return failed(400, `The script has no reply ${number}.`);
      if ('fails' in reply) return failed(reply.fails, 'The service is busy.');
      const { first, last } = service.reply(reply.filter(isPiece), number, body);
      const early = reply.find((part) => !isPiece(part));
      return early && 'ends' in early ? streamed(first, early.ends) : streamed([...first, ...last], 'done');
    },
  });

  return {
    url: served.url,
    requests,
    refusals,
    arrived: (count) =>
      new Promise((resolve) => {
        if (count <= requests.length) resolve();
        else waiting.push({ count, resolve });
      }),
    close: () => served.close(),
  };
}

function isPiece(part: Piece | EarlyEnd): part is Piece {
  return !('ends' in part);
}

function streamed(events: readonly WireEvent[], ends: 'done' | 'broken' | 'never'): Response {
  const rest = events.values();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value: event } = rest.next();
      if (event) controller.enqueue(encoder.encode(written(event)));
      else if (ends === 'done') controller.close();
      else if (ends === 'broken') controller.error(new Error('The script says so.'));
      else await new Promise<void>(() => {});
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
}

function written({ name, data }: WireEvent): string {
  const line = typeof data === 'string' ? data : JSON.stringify(data);
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${line}\n\n`;
}
