// depends on: app/api app/_server app/v1 app/asyncapi.json app/openapi.json
import { globSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createApprovalFlow } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { scriptedModel } from 'countersign/testing';
import { allEndpoints } from '../../lib/sse/fetch-handler.ts';
import { everyDialect, everyPlugin } from './every-plugin.ts';
import { responsesEndpoints } from './responses-endpoints.ts';

const root = resolve(import.meta.dirname, '../..');
const methodNames = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** One method of one endpoint of the reference app's API. */
export type AppEndpoint = {
  readonly method: (typeof methodNames)[number];
  /** In Next's notation: `/api/chat/[chatId]`. */
  readonly path: string;
};

/** An endpoint with its handler. */
export type AppRoute = AppEndpoint & { readonly handle: (request: Request) => Promise<Response> };

/** The endpoints behind each file that catches all paths below its own. */
const endpointsBehind: ReadonlyMap<string, () => readonly AppEndpoint[]> = new Map([
  ['/api/[...path]', apiEndpoints],
  ['/v1/[[...path]]', responsesEndpoints],
]);

/** The handlers exported by the files of `app/`. Static paths come before those with parameters, as in Next. */
export async function appRoutes(): Promise<AppRoute[]> {
  const files = globSync('app/**/route.ts', { cwd: root }).sort();
  const routes: AppRoute[] = [];
  for (const file of files) {
    const handlers: Partial<Record<string, AppRoute['handle']>> = await import(join(root, file));
    const path = `/${dirname(file).split('/').slice(1).join('/')}`;
    if (path.includes('[...')) {
      const endpoints = endpointsBehind.get(path)?.() ?? [];
      for (const endpoint of endpoints) {
        const handle = handlers[endpoint.method];
        if (handle) routes.push({ ...endpoint, handle });
      }
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
function apiEndpoints(): AppEndpoint[] {
  const flow = createApprovalFlow({
    ...{ store: sqliteStore({ path: ':memory:' }), model: scriptedModel([]) },
    ...everyPlugin,
  });
  void flow.close();
  return allEndpoints(flow, { authorize: () => null, dialects: everyDialect }).flatMap(({ path, methods }) =>
    Object.keys(methods).flatMap((name) => {
      const method = methodNames.find((one) => one === name);
      return method ? [{ method, path: `/api${path.replaceAll('{', '[').replaceAll('}', ']')}` }] : [];
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
