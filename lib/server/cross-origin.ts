import { feedReaderHeader } from '../protocol/wire/feed-reader.ts';
import { type GuardSettings, guardRequest, isListedOrigin } from './guard.ts';

/** How long browsers may keep the answer to a preflight, in seconds. */
const preflightSeconds = 600;

/** Headers of responses that clients read, and that browsers hide from pages of other origins otherwise. */
const exposedHeaders = `retry-after, x-vercel-ai-ui-message-stream, ${feedReaderHeader}`;

/**
 * Answers a preflight, which has no credentials.
 *
 * @throws CountersignError `forbidden` for another Host or Origin
 * @source H-Identity
 */
export async function answerPreflight(request: Request, settings: GuardSettings): Promise<Response> {
  guardRequest(request, settings);
  const headers = new Headers();
  if (isListedOrigin(request.headers.get('origin'), settings)) {
    headers.set('access-control-allow-methods', 'GET, POST, PATCH, DELETE');
    // A listed origin may send what `authorize` reads, whatever its name.
    const asked = request.headers.get('access-control-request-headers');
    if (asked !== null) headers.set('access-control-allow-headers', asked);
    headers.set('access-control-max-age', String(preflightSeconds));
  }
  return new Response(null, { status: 204, headers });
}

/** The headers of every response: `no-store` by default, `nosniff`, and for listed origins the permission to read. */
export function withSharedHeaders(response: Response, request: Request, settings: GuardSettings): Response {
  const { headers } = response;
  headers.set('x-content-type-options', 'nosniff');
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  if (settings.allowedOrigins === undefined || settings.allowedOrigins.length === 0) return response;
  headers.append('vary', 'Origin');
  const origin = request.headers.get('origin');
  if (origin !== null && isListedOrigin(origin, settings)) {
    headers.set('access-control-allow-origin', origin);
    headers.set('access-control-allow-credentials', 'true');
    headers.set('access-control-expose-headers', exposedHeaders);
  }
  return response;
}
