import type { UIMessageChunk } from 'ai';
import { sseResponse } from 'countersign/testing';
import { onTestFinished } from 'vitest';
import { socketOverFetch } from '../../lib/testing/backends/socket-over-fetch.ts';
import { serve } from '../../lib/testing/serve.ts';

/**
 * Not ours: a backend that reads nothing and plays one response after the other, over HTTP and WebSocket alike, until
 * the test has finished. It asks and says what ours never would. A request too many gets status 500.
 *
 * @returns its address
 */
export async function playedBackend(...responses: readonly UIMessageChunk[][]): Promise<string> {
  const pending = [...responses];
  const fetch = async (request: Request): Promise<Response> => {
    const chunks = request.method === 'POST' ? pending.shift() : undefined;
    return chunks ? sseResponse(chunks) : new Response('There is nothing more to play.', { status: 500 });
  };
  const logger = { warn: () => {}, error: () => {} };
  const sockets = socketOverFetch(fetch, { authorize: () => ({ id: 'ada', name: 'Ada' }), logger });
  const served = await serve({ fetch, upgrade: sockets.handleUpgrade });
  onTestFinished(async () => {
    await sockets.close();
    await served.close();
  });
  return served.url;
}
