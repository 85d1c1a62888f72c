import type { OpenApiPart } from '../../flow/plugin/open-api.ts';
import {
  body,
  inPath,
  json,
  noContent,
  operation,
  ref,
  required,
} from '../../server/documents/operations.ts';
import { delegatedSchema, delegateSchema, delegationsSchema, peopleSchema } from './endpoints.ts';

/** What the OpenAPI document says about delegations. */
export const delegationOpenApi: OpenApiPart = {
  tag: { name: 'Delegation', description: 'People who answer for others, for a time.' },
  schemas: {
    Delegations: delegationsSchema,
    DelegateRequest: delegateSchema,
    Delegated: delegatedSchema,
    People: peopleSchema,
  },
  paths: {
    '/api/delegations': {
      get: operation('listDelegations', 'The delegations that this principal has given and received', {
        200: json('Those that are live, oldest first.', ref('Delegations')),
      }),
      post: operation(
        'delegate',
        'Let another person answer for this principal, until a time',
        { 201: json('The delegation.', ref('Delegated')) },
        { requestBody: body('DelegateRequest') },
      ),
    },
    '/api/delegations/{delegationId}': {
      parameters: [inPath('delegationId')],
      delete: operation('revokeDelegation', 'End a delegation that was given or received', {
        204: noContent,
      }),
    },
    '/api/people': {
      get: operation(
        'searchPeople',
        'People to delegate to, at most ten',
        { 200: json('Ids and names.', ref('People')) },
        { parameters: [required('search', 'A part of the name, of 2 to 100 characters.')] },
      ),
    },
  },
};
