import type { FlowPlugin } from '../../flow/plugin/plugin.ts';
import { json, operation, ref } from '../../server/documents/operations.ts';
import { operationsEndpoints, operationsSchema } from './endpoints.ts';
import type { OperationsMethods } from './methods.ts';
import { readOperations } from './read-operations.ts';

export type { OperationsMethods } from './methods.ts';
export type { Operations, StuckRun, UnknownOutcome } from './read-operations.ts';

/**
 * Lists what needs an operator.
 *
 * @example createApprovalFlow({ store, model, tools, mayOperate, plugins: [operations()] })
 */
export function operations(): FlowPlugin<'operations', OperationsMethods> {
  return {
    name: 'operations',
    setUp(kernel) {
      const methods: OperationsMethods = { read: ({ principal }) => readOperations(kernel, principal) };
      return {
        methods,
        endpoints: (route) => operationsEndpoints(methods, route),
        openApi: { schemas: { Operations: operationsSchema }, paths },
      };
    },
  };
}

const paths = {
  '/api/operations': {
    get: operation(
      'readOperations',
      'What needs an operator, for people with the right',
      { 200: json('Runs without progress, unknown outcomes, and pauses.', ref('Operations')) },
      { refusals: ['not-found'] },
    ),
  },
};
