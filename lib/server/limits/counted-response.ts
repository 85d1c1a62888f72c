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

/** Keeps a request's place until `onEnd` of the result is called. Without it the place ends with the handler. */
export type KeepOpen = () => OpenRequest;

/** The place of one request. */
export type TakenPlace = {
  readonly keepOpen: KeepOpen;
  /** The handler has responded: gives the place back, unless it called `keepOpen`. @returns the response to send */
  finish(response: Response): Promise<Response>;
  /** The handler has failed: gives the place back. */
  release(): void;
};

/**
 * Takes a place of the principal for a request. It is given back exactly once.
 *
 * @throws CountersignError `rate-limited`
 */
export function takePlace({ limit, counted, principal, request, watchSession }: Place): TakenPlace {
  const release = counted === 'uncounted' ? () => {} : limit.acquire(counted, principal);
  let isKept = false;
  return {
    keepOpen() {
      isKept = true;
      return {
        signal: request.signal,
        onEnd: release,
        watchSession: (onEnd) => watchSession(request, onEnd),
      };
    },
    async finish(response) {
      const sent = request.method === 'HEAD' ? await withoutBody(response) : response;
      if (!isKept) release();
      return sent;
    },
    release,
  };
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
