import type { Path } from '../../../flow/plugin/open-api.ts';
import { cursor, inPath, json, noContent, operation, ref } from '../../../server/documents/operations.ts';

/** What belongs to the principal, and what operators see. @source S14, S15, H-Errors */
export const account: Readonly<Record<string, Path>> = {
  '/api/sessions': {
    get: operation(
      'listSessions',
      'The sessions of this principal, newest first',
      { 200: json('A page.', ref('Sessions')) },
      { parameters: [cursor] },
    ),
  },
  '/api/sessions/{sessionId}': {
    parameters: [inPath('sessionId')],
    delete: operation('endSession', 'End a session, on all instances', { 204: noContent }),
  },
};

/** Probes, which refuse no request. @source H-Health */
export const health: Readonly<Record<string, Path>> = {
  '/api/health/live': {
    get: {
      security: [],
      refusals: 'none',
      operationId: 'live',
      summary: 'This process handles requests',
      responses: { 200: json('Always.', ref('Health')) },
    },
  },
  '/api/health/ready': {
    get: {
      security: [],
      refusals: 'none',
      operationId: 'ready',
      summary: 'This instance can take requests: the store answers',
      responses: {
        200: json('It can.', ref('Health')),
        503: json('It cannot: the store did not answer within two seconds, or it shuts down.', ref('Health')),
      },
    },
  },
};
