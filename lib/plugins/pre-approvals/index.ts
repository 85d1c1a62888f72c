import type { FlowPlugin } from '../../flow/plugin/plugin.ts';
import { createEndpoints } from './endpoints.ts';
import { findPreApproval } from './find.ts';
import { createMethods, type PreApprovals } from './methods.ts';
import { preApprovalsOpenApi } from './open-api.ts';
import { pluginName } from './standing.ts';

export type { GiveRequest } from './give.ts';
export type { PreApprovals } from './methods.ts';
export type { UpcomingCall, UpcomingRequest } from './upcoming.ts';

/**
 * Lets people approve calls of a step before their questions are due, each as it is shown.
 *
 * @example createApprovalFlow({ store, model, tools, plugins: [preApprovals()] })
 * @source ADR 0041
 */
export function preApprovals(): FlowPlugin<'preApprovals', PreApprovals> {
  return {
    name: pluginName,
    standing: findPreApproval,
    setUp(kernel) {
      const methods = createMethods(kernel);
      return { methods, endpoints: createEndpoints(methods, kernel.clock), openApi: preApprovalsOpenApi };
    },
  };
}
