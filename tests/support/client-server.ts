import type { Script } from 'countersign/testing';
import { onTestFinished } from 'vitest';
import { serve } from '../../lib/testing/server/serve.ts';
import { serveDialects } from '../contract/dialects/support/serve-dialects.ts';

/** Answers each task of the readers of the two-step stream. */
const twoStepScript: Script = ({ prompt }) => {
  if (prompt.at(-1)?.role === 'tool') return [{ text: 'Two.' }];
  const fails = JSON.stringify(prompt.at(-1)?.content).includes('Fail');
  return [{ text: 'One. ' }, fails ? { call: 'no_tool' } : { call: 'weather', input: { city: 'Oslo' } }];
};

/**
 * The two-step stream behind a proxy: with `break` in its query, the first connection to a stream breaks after one frame; with
 * `key`, it needs a bearer key.
 */
export async function twoStepServer(): Promise<string> {
  const { url } = await serveDialects(twoStepScript);
  const broken = new Set<string>();
  const proxy = await serve({
    async fetch(request) {
      const { pathname, search, searchParams } = new URL(request.url);
      if (searchParams.has('key') && request.headers.get('authorization') !== 'Bearer ada') {
        return new Response(null, { status: 401 });
      }
      const { method } = request;
      const headers = new Headers(request.headers);
      for (const name of ['host', 'connection', 'content-length']) headers.delete(name);
      const body = method === 'POST' ? await request.text() : undefined;
      const response = await fetch(`${url}${pathname}${search}`, { method, headers, body });
      if (!searchParams.has('break') || broken.has(pathname)) return response;
      broken.add(pathname);
      return new Response(firstFrame(await response.text()), response);
    },
  });
  onTestFinished(() => proxy.close());
  return proxy.url;
}

/** The first frame, and then a broken connection. */
function firstFrame(text: string): ReadableStream<Uint8Array> {
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) controller.error(new Error('The connection broke.'));
      else controller.enqueue(new TextEncoder().encode(`${text.split('\n\n')[0]}\n\n`));
      isSent = true;
    },
  });
}
