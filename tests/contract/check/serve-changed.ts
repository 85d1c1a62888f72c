import { onTestFinished } from 'vitest';
import { startBackend } from '../../../lib/testing/backends/start-backend.ts';
import { serve } from '../../../lib/testing/server/serve.ts';

/** Makes a response of the text and the headers that one had. */
type Rewrite = (text: string, headers: Headers) => Response;

/** What stands between the check and a sound backend. By default everything goes through as it is. */
export type Change = {
  /** Answers a posted body itself, or gives the one that goes on. */
  readonly post?: (body: string) => Response | string;
  /** Rewrites a stream that answers a posted body. */
  readonly reply?: Rewrite;
  /** Rewrites a stream that answers a resume. */
  readonly resumed?: Rewrite;
};

/** A backend that behaves well but for what is changed on the way. Gives the address of its chat. */
export async function serveChanged(change: Change): Promise<string> {
  const { post = (body) => body, reply = asItWas, resumed = asItWas } = change;
  const backend = await startBackend();
  const server = await serve({
    async fetch(request) {
      const { method, url } = request;
      const body = method === 'POST' ? post(await request.text()) : undefined;
      if (body instanceof Response) return body;
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${backend.url}${new URL(url).pathname}`, { method, headers, body });
      if (response.status !== 200) return new Response(response.body, response);
      return (method === 'POST' ? reply : resumed)(await response.text(), response.headers);
    },
  });
  onTestFinished(async () => {
    await server.close();
    await backend.close();
  });
  return `${server.url}/api/chat`;
}

const asItWas: Rewrite = (text, headers) => new Response(text, { headers });
