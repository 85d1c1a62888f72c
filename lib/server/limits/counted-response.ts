import type { Counted, KeepOpen } from '../../flow/plugin/http.ts';
import type { Principal } from '../../protocol/index.ts';
import type { WatchSession } from '../identity/session-watch.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';

export type TakenSlot = {
  readonly keepOpen: KeepOpen;
  /** The handler has responded: releases the slot, unless it called `keepOpen`. @returns the response to send */
  finish(response: Response): Promise<Response>;
  /** The handler has failed: releases the slot. */
  release(): void;
};

/**
/** Takes a slot of the principal for a request. It is released exactly once. @throws CountersignError `rate-limited` */
export function takeSlot({ limit, counted, principal, request, watchSession }: CountedRequest): TakenSlot {
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
