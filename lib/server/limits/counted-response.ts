import type { Principal } from '../../protocol/index.ts';
import type { WatchSession } from '../identity/session-watch.ts';
import type { ConcurrencyLimit, Counted } from './concurrency-limit.ts';

/** What a response that outlasts its handler needs to know of its request. @see eventStreamResponse */
export type OpenRequest = {
  /** Aborted when the client disconnects, if the server reports that. */
  readonly signal: AbortSignal;
  /** Call when the response has ended, however. */
  readonly onEnd: () => void;
  /** Calls back once when the session of the request has ended. Returns a function that ends the watch. */
  readonly watchSession: (onEnd: () => void) => () => void;
};

/** Keeps a request's place until `onEnd` of what it returns is called. Without it the place ends with the handler. */
export type KeepOpen = () => OpenRequest;

/**
 * Runs a request's handler in a place of its principal, and gives the place back exactly once: when the handler is done
 * or has failed, or, where it called `keepOpen`, when its response has ended.
 *
 * @throws CountersignError `rate-limited`, and whatever the handler throws
 */
export async function countedResponse(
  { limit, counted, principal, request, watchSession }: Place,
  handle: (keepOpen: KeepOpen) => Promise<Response>,
): Promise<Response> {
  const release = counted === 'uncounted' ? () => {} : limit.acquire(counted, principal);
  let isKept = false;
  const keepOpen = () => {
    isKept = true;
    return {
      signal: request.signal,
      onEnd: release,
      watchSession: (onEnd: () => void) => watchSession(request, onEnd),
    };
  };
  try {
    const response = await handle(keepOpen);
    return request.method === 'HEAD' ? await withoutBody(response) : response;
  } catch (error) {
    isKept = false;
    throw error;
  } finally {
    if (!isKept) release();
  }
}

type Place = {
  readonly limit: ConcurrencyLimit;
  readonly counted: Counted | 'uncounted';
  readonly principal: Principal;
  readonly request: Request;
  readonly watchSession: WatchSession;
};

/** Frameworks answer HEAD by the handler of GET, and neither read nor cancel its body. */
async function withoutBody({ body, status, headers }: Response): Promise<Response> {
  await body?.cancel();
  return new Response(null, { status, headers });
}
