import type { AuthorizedRequest } from '../../../flow/plugin/http.ts';
import { refuseParam } from '../errors.ts';
import type { Model } from './list-schema.ts';

/** The one model of the server, under the name that responses have without another one. @source ADR 0014 */
export function createModelRoutes({ model: id, serverLabel }: { model: string; serverLabel: string }) {
  const own: Model = { id, object: 'model', created: 0, owned_by: serverLabel };
  return {
    list: async () => Response.json({ object: 'list', data: [own] }),
    retrieve: async ({ segment }: AuthorizedRequest) => {
      if (segment(0) === id) return Response.json(own);
      throw refuseParam(
        'not-found',
        'model',
        `There is no model ${segment(0)}. \`GET /v1/models\` lists them.`,
      );
    },
  };
}
