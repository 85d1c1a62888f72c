import type { AuthorizedRequest, Counted, Route } from '../flow/plugin/http.ts';
import { type Clock, CountersignError, type Logger, type Principal } from '../protocol/index.ts';
import type { RateLimit } from '../rights/rate-limit.ts';
import { answerPreflight, withSharedHeaders } from './cross-origin.ts';
import { errorResponse } from './errors.ts';
import { type GuardSettings, guardRequest } from './guard.ts';
import type { Authorize } from './identity/authorize.ts';
import { principalOf } from './identity/principal-of.ts';
import { createSessionWatch, type WatchSession } from './identity/session-watch.ts';
import { type ConcurrencyLimit, withConcurrencyLimit } from './limits/concurrency-limit.ts';
import { takeSlot } from './limits/counted-response.ts';
import { type ChatLimits, limitsOf } from './limits/size-limits.ts';
import type { CallOptionsOf } from './requests/call-options.ts';
import { readJson } from './requests/read-json.ts';

/** Settings shared by all server halves. */
export type ServerSettings = GuardSettings & {
  /** Identifies who makes a request. Required: there is no default identity. */
  readonly authorize: Authorize;
  /** The call options of each turn, if the flow has `prepareCall`. Default: none. */
  readonly callOptions?: CallOptionsOf;
  readonly rateLimit?: RateLimit;
  /**
   * Limits what a principal may have open at the same time. Default: a limit of its own with the defaults of
   * `createConcurrencyLimit`.
   */
  readonly concurrencyLimit?: ConcurrencyLimit;
  /** The maximum sizes of requests. */
  readonly limits?: Partial<ChatLimits>;
  /**
   * Milliseconds between checks of the sessions of open streams and sockets. Each check calls `authorize`
   * again. Default 3,000.
   */
  readonly sessionCheckMs?: number;
  readonly logger?: Logger;
  readonly clock?: Clock;
};

/**
 * Wraps a handler with what all handlers need: host and origin checks, identity, limits, refusals as JSON, headers
 * that prevent caching and content-type sniffing, and those of `allowedOrigins`. It answers OPTIONS itself.
 *
 * @param refuse the form of refusals. Default: that of all other endpoints
 * @source H-Errors, H-Identity
 */
export function createRoute(
  given: ServerSettings,
  handle: (request: AuthorizedRequest) => Promise<Response>,
  counted: Counted | 'uncounted' = 'requests',
  refuse: (error: unknown, logger?: Logger) => Response = errorResponse,
): Route {
  const settings = withConcurrencyLimit(given);
  const watchSession = createSessionWatch(settings);
  return async (request, context) => {
    const answered =
      request.method === 'OPTIONS'
        ? answerPreflight(request, settings)
        : respond(settings, handle, counted, { request, context, watchSession });
    const response = await answered.catch((error: unknown) => refuse(error, settings.logger));
    return withSharedHeaders(response, request, settings);
  };
}

/** The principal of a request. @throws CountersignError `unauthenticated`, or `rate-limited` */
export async function identify(settings: ServerSettings, request: Request): Promise<Principal> {
  const principal = await principalOf(settings, request);
  if (!principal) throw new CountersignError('unauthenticated', 'Nobody is signed in. Sign in first.');
  settings.rateLimit?.take(principal);
  return principal;
}

type Unidentified = {
  readonly request: Request;
  readonly context: unknown;
  readonly watchSession: WatchSession;
};

async function respond(
  settings: ReturnType<typeof withConcurrencyLimit<ServerSettings>>,
  handle: (request: AuthorizedRequest) => Promise<Response>,
  counted: Counted | 'uncounted',
  { request, context, watchSession }: Unidentified,
): Promise<Response> {
  guardRequest(request, settings);
  const principal = await identify(settings, request);
  const url = new URL(request.url);
  const { concurrencyLimit: limit } = settings;
  const slot = takeSlot({ limit, counted, principal, request, watchSession });
  try {
    const response = await handle({
      request,
      principal,
      query: url.searchParams,
      json: () => readJson(request, limitsOf(settings).bodyBytes, context),
      segment: (fromEnd) => decodeSegment(url.pathname, fromEnd),
      keepOpen: slot.keepOpen,
    });
    return await slot.finish(response);
  } catch (error) {
    slot.release();
    throw error;
  }
}

function decodeSegment(pathname: string, fromEnd: number): string {
  const segment =
    pathname
      .split('/')
      .filter(Boolean)
      .at(-1 - fromEnd) ?? '';
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new CountersignError('invalid-request', 'The path is not encoded correctly.', {}, { cause });
  }
}
