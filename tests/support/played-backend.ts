import type { UIMessageChunk } from 'ai';
import { sseResponse } from 'countersign/testing';
import { onTestFinished } from 'vitest';
import { socketOverFetch } from '../../lib/testing/backends/socket-over-fetch.ts';
import { serve } from '../../lib/testing/server/serve.ts';

/**
 * A foreign backend that ignores requests and plays one response after another, over HTTP and WebSocket, until the end
 * of the test. It can send what this library never sends. An additional request gets status 500.
 *
 * @returns its URL
 */
export async function playedBackend(...responses: readonly UIMessageChunk[][]): Promise<string> {
  const pending = [...responses];
  const fetch = async (request: Request): Promise<Response> => {
    const chunks = request.method === 'POST' ? pending.shift() : undefined;
    return chunks
      ? sseResponse(chunks)
      : new Response('There are no more responses to play.', { status: 500 });
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
