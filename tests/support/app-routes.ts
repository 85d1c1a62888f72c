// depends on: app/api app/_server app/v1 app/asyncapi.json app/openapi.json
import { globSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createApprovalFlow } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { scriptedModel } from 'countersign/testing';
import { endpointMethods } from '../../lib/plugins/responses/routes/endpoints.ts';

import { allEndpoints } from '../../lib/sse/fetch-handler.ts';
import { everyDialect, everyPlugin } from './every-plugin.ts';

const root = resolve(import.meta.dirname, '../..');
const methodNames = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** One method of one endpoint of the reference app's API. */
export type AppRoute = {
  readonly method: (typeof methodNames)[number];
  /** In Next's notation: `/api/chat/[chatId]`. */
  readonly path: string;
  readonly handle: (request: Request) => Promise<Response>;
};

/** The handlers exported by the files of `app/`. Static paths come before those with parameters, as in Next. */
export async function appRoutes(): Promise<AppRoute[]> {
  const files = globSync('app/**/route.ts', { cwd: root }).sort();
  const routes: AppRoute[] = [];
  for (const file of files) {
    const handlers: Partial<Record<string, AppRoute['handle']>> = await import(join(root, file));
    const path = `/${dirname(file).split('/').slice(1).join('/')}`;
    if (path === '/api/[...path]') {
      routes.push(...apiRoutes(handlers));
      continue;
    }
    if (path === '/v1/[[...path]]') {
      routes.push(...gatewayRoutes(handlers));
      continue;
    }
    for (const method of methodNames) {
      const handle = handlers[method];
      if (handle) routes.push({ method, path, handle });
    }
  }
  return routes.toSorted((one, other) => parametersIn(one.path) - parametersIn(other.path));
}

/** The endpoints behind the route that catches all of `/api`. */
function apiRoutes(handlers: Partial<Record<string, AppRoute['handle']>>): AppRoute[] {
  const flow = createApprovalFlow({
    ...{ store: sqliteStore({ path: ':memory:' }), model: scriptedModel([]) },
    ...everyPlugin,
  });
  void flow.close();
  return allEndpoints(flow, { authorize: () => null, dialects: everyDialect }).flatMap(({ path, methods }) =>
    Object.keys(methods).flatMap((name) => {
      const method = methodNames.find((one) => one === name);
      const handle = handlers[name];
      const route = `/api${path.replaceAll('{', '[').replaceAll('}', ']')}`;
      return method && handle ? [{ method, path: route, handle }] : [];
    }),
  );
}

/** The endpoints behind the route that catches all of `/v1`. */
function gatewayRoutes(handlers: Partial<Record<string, AppRoute['handle']>>): AppRoute[] {
  return Object.entries(endpointMethods).flatMap(([name, allowed]) =>
    allowed.flatMap((method) => {
      const path = `/v1${name.replaceAll('{', '[').replaceAll('}', ']')}`;
      const handle = handlers[method];
      return handle ? [{ method, path, handle }] : [];
    }),
  );
}

/** A Web handler for all of them: routes requests like Next, without Next. */
export function dispatch(routes: readonly AppRoute[]): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url);
    const found = routes.filter(({ path }) => patternOf(path).test(pathname));
    const first = found[0];
    if (!first) return new Response(null, { status: 404 });
    const route = found.find(({ path, method }) => path === first.path && method === request.method);
    return route ? route.handle(request) : new Response(null, { status: 405 });
  };
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\[\.\.\.\w+\]/g, '.+').replaceAll(/\[\w+\]/g, '[^/]+')}$`);
}

function parametersIn(path: string): number {
  return path.split('[').length;
}
