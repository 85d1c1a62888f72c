import type { OpenApiPart } from '../../flow/plugin/open-api.ts';
import { json, operation, optional, ref, required } from '../../server/documents/operations.ts';
import { policiesSchema, rehearsalSchema } from './endpoints.ts';

/** What the OpenAPI document says about rehearsals. */
export const rehearsalOpenApi: OpenApiPart = {
  schemas: { Rehearsal: rehearsalSchema, Policies: policiesSchema },
  paths: {
    '/api/operations/rehearsal': {
      get: operation(
        'rehearse',
        'What a policy would have decided about past calls, for people with the right',
        { 200: json('The report.', ref('Rehearsal')) },
        {
          parameters: [
            required('policy', 'The name of a policy of the flow.'),
            required('since', 'Only calls made at or after this time (ISO 8601).'),
            optional('until', 'query', 'Only calls made before this time (ISO 8601). Default: now.'),
          ],
        },
      ),
    },
    '/api/operations/policies': {
      get: operation('listPolicies', 'The policies that can be rehearsed, for people with the right', {
        200: json('Their names.', ref('Policies')),
      }),
    },
  },
};
