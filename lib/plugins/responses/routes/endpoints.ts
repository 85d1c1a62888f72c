import type { Route } from '../../../flow/plugin/http.ts';
import { withSharedHeaders } from '../../../server/cross-origin.ts';
import type { ServerSettings } from '../../../server/route.ts';
import { apiErrorResponse, wrongMethod } from '../errors.ts';
import { noSuchPath } from './response-routes.ts';

/** The endpoints of the API, below `/v1`, with their methods. */
export const endpointMethods = {
  '/responses': ['POST'],
  '/responses/{responseId}': ['GET', 'DELETE'],
  '/responses/{responseId}/cancel': ['POST'],
  '/responses/{responseId}/input_items': ['GET'],
  '/models': ['GET'],
  '/models/{model}': ['GET'],
} as const;

type Methods = typeof endpointMethods;

/** The handlers of each endpoint, by method. */
export type Endpoints = {
  readonly [Path in keyof Methods]: { readonly [Method in Methods[Path][number]]: Route };
};

/**
 * Finds the endpoint by the path after `/v1`. What it does not find, it refuses in the form of all other errors.
 *
 * @source C16, ADR 0014
 */
export function createEndpointRoute(endpoints: Endpoints, settings: ServerSettings): Route {
  const table = Object.entries(endpoints).map(([path, handlers]) => ({
    pattern: new RegExp(`/v1${path.replaceAll(/[{]\w+[}]/g, '[^/]+')}/?$`),
    methods: new Map<string, Route>(Object.entries(handlers)),
  }));
  return async (request, context) => {
    const { pathname } = new URL(request.url);
    const methods = table.find(({ pattern }) => pattern.test(pathname))?.methods;
    const route = methods?.get(request.method === 'HEAD' ? 'GET' : request.method);
    if (route) return route(request, context);
    const refusal = methods
      ? wrongMethod(request.method, [...methods.keys()])
      : apiErrorResponse(noSuchPath());
    return withSharedHeaders(refusal, request, settings);
  };
}
