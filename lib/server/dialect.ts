import type { ApprovalFlow } from '../flow/approval-flow.ts';
import type { Endpoint, Route } from '../flow/plugin/http.ts';
import type { OpenApiPart } from '../flow/plugin/open-api.ts';
import type { AsyncApiPart } from './documents/async-api.ts';
import type { withConcurrencyLimit } from './limits/concurrency-limit.ts';
import type { ServerSettings } from './route.ts';
import type { OpenTextSession } from './text-socket.ts';

/** The settings of a server, with the limit in which all of its endpoints count together. */
export type SharedSettings = ReturnType<typeof withConcurrencyLimit<ServerSettings>>;

/** A socket. `path` begins after `basePath`. */
export type SocketEndpoint = { readonly path: string; readonly open: OpenTextSession };

/** All paths below one, for a protocol with paths and refusals of its own. */
export type Mount = {
  /** Such as `/v1`. Does not begin with `basePath`. */
  readonly prefix: string;
  /** Handles every method, except OPTIONS. */
  readonly handle: Route;
};

/**
 * A plugin of a server: another protocol for the same chats. It uses the methods of a flow, and the parts of a server.
 *
 * @source ADR 0056
 */
export type Dialect = {
  readonly name: string;
  readonly endpoints?: (flow: ApprovalFlow, settings: SharedSettings) => readonly Endpoint[];
  readonly sockets?: (flow: ApprovalFlow, settings: SharedSettings) => readonly SocketEndpoint[];
  readonly mount?: (flow: ApprovalFlow, settings: SharedSettings) => Mount;
  /** What the OpenAPI document says about them. */
  readonly openApi?: OpenApiPart;
  /** What the AsyncAPI document says about their sockets and event streams. */
  readonly asyncApi?: AsyncApiPart;
};

/** The dialects of a server. */
export type DialectSettings = {
  /** Other protocols that the server speaks. Pass the same list to `createFetchHandler` and `createUpgradeHandler`. */
  readonly dialects?: readonly Dialect[];
};
