import type { OpenApiPart } from '../../flow/plugin/open-api.ts';
import { cursor, inPath, json, noContent, operation, ref } from '../../server/documents/operations.ts';
import { rememberedSchema } from './endpoints.ts';

/** What the OpenAPI document says about remembered approvals. */
export const rememberedOpenApi: OpenApiPart = {
  schemas: { Remembered: rememberedSchema },
  paths: {
    '/api/remembered': {
      get: operation(
        'listRemembered',
        'The approvals that this principal had remembered, newest first',
        { 200: json('A page.', ref('Remembered')) },
        { parameters: [cursor] },
      ),
    },
    '/api/remembered/{grantId}': {
      parameters: [inPath('grantId')],
      delete: operation('forgetRemembered', 'Revoke a remembered approval', { 204: noContent }),
    },
  },
};
