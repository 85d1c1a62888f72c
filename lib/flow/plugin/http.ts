import type { Principal } from '../../protocol/index.ts';

/**
 * A Web handler, ready as a Next route export. Never rejects.
 *
 * @param context what the server passes beside the request. Bridges from Node pass `{ incoming }`: if a framework has
 * already read the body, `incoming.body` is used. Everything else is ignored
 */
export type Route = (request: Request, context?: unknown) => Promise<Response>;

/** The request of a response that outlasts its handler. */
export type OpenRequest = {
  /** Aborted when the client disconnects, if the server reports that. */
  readonly signal: AbortSignal;
  /** Call it when the response has ended, for whatever reason. */
  readonly onEnd: () => void;
  /** Calls back once, when the session of the request has ended. Returns a function that ends the watch. */
  readonly watchSession: (onEnd: () => void) => () => void;
};

/** Keeps a request's slot until `onEnd` of the result is called. Otherwise the slot is released with the handler. */
export type KeepOpen = () => OpenRequest;

/** A request whose principal is known. */
export type AuthorizedRequest = {
  readonly request: Request;
  readonly principal: Principal;
  readonly query: URLSearchParams;
  /** Reads the body, up to `limits.bodyBytes`. @throws CountersignError `payload-too-large`, `invalid-request` */
  json(): Promise<unknown>;
  /**
   * A decoded segment of the path, counted from the end: 0 is the last. Handlers read ids this way, so they
   * need no router parameters.
   *
   * @throws CountersignError `invalid-request`
   */
  segment(fromEnd: number): string;
  /** For a response that outlasts the handler. */
  readonly keepOpen: KeepOpen;
};

/**
 * What a request counts for in the concurrency limit: an open feed of questions, an open WebSocket, or a request in progress. An
 * HTTP request is in progress until its response has ended; a request on a socket, until its stream has ended. `uncounted` is for
 * requests that end something, so that a principal at its limit can get below it.
 */
export type Counted = 'feeds' | 'sockets' | 'requests';

/** Makes a handler: the server checks host, origin, identity and limits before it, and turns refusals into JSON. */
export type MakeRoute = (
  handle: (request: AuthorizedRequest) => Promise<Response>,
  counted?: Counted | 'uncounted',
) => Route;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An endpoint. `path` begins after `basePath`; `{name}` stands for one segment. */
export type Endpoint = {
  readonly path: string;
  readonly methods: { readonly [name in Method]?: Route | undefined };
};
