import { endpointMethods } from '../../lib/plugins/responses/routes/endpoints.ts';
import type { AppEndpoint } from './app-routes.ts';

/** The endpoints behind the route that catches all of `/v1`. */
export function responsesEndpoints(): AppEndpoint[] {
  return Object.entries(endpointMethods).flatMap(([name, methods]) =>
    methods.map((method) => ({ method, path: `/v1${name.replaceAll('{', '[').replaceAll('}', ']')}` })),
  );
}
