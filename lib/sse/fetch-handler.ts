import type { ApprovalFlow } from '../flow/approval-flow.ts';
import type { Endpoint, Route } from '../flow/plugin/http.ts';
import { CountersignError } from '../protocol/index.ts';
import { withSharedHeaders } from '../server/cross-origin.ts';
import type { DialectSettings, Mount, SharedSettings } from '../server/dialect.ts';
import { endpointsOf } from '../server/endpoints.ts';
import { errorResponse } from '../server/errors.ts';
import { withConcurrencyLimit } from '../server/limits/concurrency-limit.ts';
import { checkServerSettings } from '../server/server-settings.ts';
import { createSseHandlers, type SseSettings } from './handlers.ts';

/** Settings of `createFetchHandler`, for all of its endpoints. */
export type FetchHandlerSettings = SseSettings &
  DialectSettings & {
    /** The path that all endpoints begin with. Default `/api`. */
    readonly basePath?: string;
  };

/**
 * Every endpoint but the WebSocket as one Web handler: for a catch-all route
 * (`app/api/[...path]/route.ts` of Next), or for a server without a router. Contains the endpoints of the flow's plugins,
 * and of the dialects.
 *
 * @throws CountersignError `invalid-settings` for settings that are misspelled or of the wrong type, without `authorize`, and if two
 *   plugins have the same endpoint
 * @example export const GET = createFetchHandler(flow, { authorize }); // and POST, PATCH, DELETE likewise; OPTIONS for `allowedOrigins`
 * @source H1, H2, H4, H5, H9-H11, H-Health
 */
export function createFetchHandler(flow: ApprovalFlow, given: FetchHandlerSettings): Route {
  checkServerSettings('createFetchHandler', given);
  const settings = withConcurrencyLimit(given);
  const { basePath = '/api' } = settings;
  const table = tableOf(allEndpoints(flow, settings));
  const mounts = mountsOf(flow, settings);
  const preflight = createSseHandlers(flow, settings).stream.GET;
  return async (request, context) => {
    // Every route answers it, and in the same way.
    if (request.method === 'OPTIONS') return preflight(request);
    const { pathname } = new URL(request.url);
    const mounted = mounts.find(({ prefix }) => `${pathname}/`.startsWith(`${prefix}/`));
    if (mounted) return mounted.handle(request, context);
    const path = pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : '';
    const methods = table.find(({ pattern }) => pattern.test(path))?.methods;
    // The handlers of GET leave the body out for HEAD.
    const route = methods?.get(request.method === 'HEAD' ? 'GET' : request.method);
    return route ? route(request, context) : withSharedHeaders(noRoute(methods), request, settings);
  };
}

/** The endpoints of the AI SDK's chat, then all others. */
export function allEndpoints(flow: ApprovalFlow, given: FetchHandlerSettings): readonly Endpoint[] {
  const settings = withConcurrencyLimit(given);
  const { chat, stream } = createSseHandlers(flow, settings);
  return [
    { path: '/chat', methods: chat },
    { path: '/chat/{chatId}/stream', methods: stream },
    ...endpointsOf(flow, settings),
  ];
}

/** The APIs of dialects that have paths of their own. */
function mountsOf(flow: ApprovalFlow, settings: SharedSettings & DialectSettings): readonly Mount[] {
  const mounts = (settings.dialects ?? []).flatMap(({ mount }) => mount?.(flow, settings) ?? []);
  const twice = mounts.find(({ prefix }, index) => mounts.findIndex((one) => one.prefix === prefix) < index);
  if (!twice) return mounts;
  throw new CountersignError('invalid-settings', `Two dialects have the paths below ${twice.prefix}.`);
}

type Row = { readonly pattern: RegExp; readonly methods: Map<string, Route> };

/** One row for each path. Paths without a variable segment come first. */
function tableOf(endpoints: readonly Endpoint[]): readonly Row[] {
  const rows = new Map<string, Row>();
  for (const { path, methods } of endpoints) {
    const row = rows.get(path) ?? { pattern: patternOf(path), methods: new Map() };
    rows.set(path, row);
    for (const [method, route] of Object.entries(methods)) {
      if (!route) continue;
      if (row.methods.has(method)) {
        throw new CountersignError('invalid-settings', `Two endpoints have the path ${method} ${path}.`);
      }
      row.methods.set(method, route);
    }
  }
  const isVariable = (path: string) => Number(path.includes('{'));
  const inOrder = [...rows].toSorted(([one], [other]) => isVariable(one) - isVariable(other));
  return inOrder.map(([, row]) => row);
}

function patternOf(path: string): RegExp {
  const segments = path.split('/').map((segment) => {
    return segment.startsWith('{') ? '[^/]+' : segment.replaceAll('.', String.raw`\.`);
  });
  return new RegExp(`^${segments.join('/')}$`);
}

function noRoute(methods: Row['methods'] | undefined): Response {
  if (!methods) return errorResponse(new CountersignError('not-found', 'There is nothing at this path.'));
  return new Response(null, { status: 405, headers: { allow: [...methods.keys()].join(', ') } });
}
