import type { FlowPlugin } from '../../flow/plugin/plugin.ts';
import { watchDelegations } from './changed-rights.ts';
import { createMethods } from './delegate.ts';
import { createDelegations } from './delegations.ts';
import { createDirectory } from './directory.ts';
import { eligiblePeople } from './eligible-people.ts';
import { createLimits, delegationEndpoints } from './endpoints.ts';
import { delegationsTo, giversOf } from './givers.ts';
import type { DelegationMethods } from './methods.ts';
import { delegationOpenApi } from './open-api.ts';
import { checkDelegation, type DelegationSettings, defaultLongestMs } from './settings.ts';

export type { Eligible } from './client/eligible.ts';
export type { Delegation } from './delegation.ts';
export type { DelegateRequest, DelegationList, DelegationMethods } from './methods.ts';
export type { DelegationSettings, PeopleDirectory, PeopleQuery } from './settings.ts';

/**
 * Lets people delegate their right to answer to other people, for a time, and names the people who may answer a question.
 *
 * @param settings.people the directory of people. `longestMs`: 30 days if omitted
 * @throws CountersignError `invalid-settings`
 * @example createApprovalFlow({ store, model, tools, plugins: [delegation({ people })] })
 * @source ADR 0049
 */
export function delegation(settings: DelegationSettings): FlowPlugin<'delegation', DelegationMethods> {
  checkDelegation(settings);
  const { people, longestMs = defaultLongestMs, showApproversToAsker } = settings;
  return {
    name: 'delegation',
    setUp(kernel) {
      const directory = createDirectory(people, kernel);
      const delegations = createDelegations(kernel);
      const parts = { settings: kernel.settings, ids: kernel.ids, directory, delegations };
      const methods = createMethods({ ...parts, longestMs });
      const limits = createLimits(kernel.clock);
      return {
        methods,
        endpoints: (route) => delegationEndpoints(methods, limits, route),
        openApi: delegationOpenApi,
        sweep: delegations.refresh,
        async givers(principal, isFresh) {
          if (isFresh) await delegations.refresh();
          return giversOf(directory, delegationsTo(await delegations.live(), principal));
        },
        watchRights: watchDelegations(parts),
        details: eligiblePeople({ ...parts, showApproversToAsker }),
        close: async () => delegations.close(),
      };
    },
  };
}
