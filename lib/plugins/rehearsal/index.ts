import type { FlowPlugin } from '../../flow/plugin/plugin.ts';
import { checkOperator } from '../../rights/permissions.ts';
import { rehearsalEndpoints } from './endpoints.ts';
import type { RehearsalMethods } from './methods.ts';
import { rehearsalOpenApi } from './open-api.ts';
import { checkPolicy, type Policies, rehearse } from './rehearse.ts';

export type { RehearsalMethods } from './methods.ts';
export type {
  DecisionChange,
  GateDecision,
  GivenAnswer,
  NotRehearsed,
  Rehearsal,
  RehearsedCall,
} from './rehearsal.ts';
export type { Policies, RehearseRequest } from './rehearse.ts';

/**
 * Rehearses gates on past calls.
 *
 * @param settings.policies gates by name, in any form that `toolApproval` accepts. No turn uses them
 * @example createApprovalFlow({ store, model, tools, mayOperate, plugins: [rehearsal({ policies: { strict } })] })
 * @source ADR 0046
 */
export function rehearsal({
  policies = {},
}: {
  readonly policies?: Policies;
} = {}): FlowPlugin<'rehearsal', RehearsalMethods> {
  return {
    name: 'rehearsal',
    setUp(kernel) {
      for (const [name, policy] of Object.entries(policies))
        checkPolicy(kernel.settings, policy, `policies.${name}`);
      const methods: RehearsalMethods = {
        run: (request) => rehearse({ ...kernel, policies }, request),
        async policies({ principal }) {
          await checkOperator(kernel.settings, principal);
          return Object.keys(policies);
        },
      };
      return {
        methods,
        endpoints: (route) => rehearsalEndpoints(methods, route),
        openApi: rehearsalOpenApi,
      };
    },
  };
}
