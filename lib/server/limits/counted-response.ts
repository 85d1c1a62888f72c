import type { Principal } from '../../protocol/index.ts';
import type { WatchSession } from '../identity/session-watch.ts';
import type { ConcurrencyLimit, Counted } from './concurrency-limit.ts';

/** The request of a response that outlasts its handler. @see eventStreamResponse */
export type OpenRequest = {
  /** Aborted when the client disconnects, if the server reports that. */
  readonly signal: AbortSignal;
  /** Call it when the response has ended, for whatever reason. */
  readonly onEnd: () => void;
  /** Calls back once, when the session of the request has ended. Returns a function that ends the watch. */
  readonly watchSession: (onEnd: () => void) => () => void;
};

/**
 * Keeps a request's slot until `onEnd` of the returned object is called. Otherwise the slot is released when
 * the handler ends.
 */
export type KeepOpen = () => OpenRequest;

/**
 * Runs a request's handler in a slot of its principal, and releases the slot exactly once: when the handler has
 * ended or failed, or, if it called `keepOpen`, when its response has ended.
 *
 * @throws CountersignError `rate-limited`, and any error of the handler
 */
export async function countedResponse(
  { limit, counted, principal, request, watchSession }: CountedRequest,
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

type CountedRequest = {
  readonly limit: ConcurrencyLimit;
  readonly counted: Counted | 'uncounted';
  readonly principal: Principal;
  readonly request: Request;
  readonly watchSession: WatchSession;
};

/** Frameworks call the handler of GET for HEAD, and neither read nor cancel the body. */
async function withoutBody({ body, status, headers }: Response): Promise<Response> {
  await body?.cancel();
  return new Response(null, { status, headers });
}
