import { type FlowSettings, notTheAsker, type Principal } from 'countersign';
import type { FlowPlugin } from 'countersign/plugin';
import {
  type DelegationMethods,
  type DelegationSettings,
  delegation,
  type PeopleDirectory,
} from 'countersign/plugins/delegation';
import { votes } from 'countersign/plugins/votes';
import { type FakeClock, fakeClock, type Script } from 'countersign/testing';
import { onTestFinished } from 'vitest';
import { type ApprovalId, parseApprovalId } from '../../lib/protocol/index.ts';
import { ada, flowFixture, questionIn } from './flow-fixture.ts';

export const ben: Principal = { id: 'ben', name: 'Ben', role: 'manager' };
export const cleo: Principal = { id: 'cleo', name: 'Cleo' };
export const dan: Principal = { id: 'dan', name: 'Dan' };
export { ada };

export const hour = 3_600_000;
export const pay = (amount = 30) => ({ call: 'pay', input: { to: 'alice', amount } });
export const done = { text: 'Done.' };
export const auditKey = 'an audit key for tests';

/** Managers answer what they have not asked for. */
const managers: Pick<FlowSettings, 'toolDetails'> = {
  toolDetails: {
    pay: { approvers: (who, question) => who.role === 'manager' && notTheAsker(who, question) },
  },
};

/** A directory that a test can change. `failing`: what it does instead of an answer. */
export function directory(...everybody: readonly Principal[]) {
  const known = new Map(everybody.map((person) => [person.id, person]));
  const hooks: { failing?: () => Promise<readonly Principal[]>; asked: number } = { asked: 0 };
  const people: PeopleDirectory = async ({ ids, search }) => {
    hooks.asked += 1;
    if (hooks.failing) return hooks.failing();
    if (ids) return ids.flatMap((id) => known.get(id) ?? []);
    const all = [...known.values()];
    return search === undefined ? all : all.filter(({ name }) => name.startsWith(search));
  };
  return { known, hooks, people };
}

/** The methods of the plugin, of a flow whose type lacks them. */
export function delegationOf(flow: object): DelegationMethods {
  if (!hasDelegation(flow)) throw new Error('The flow lacks the plugin.');
  return flow.delegation;
}

function hasDelegation(flow: object): flow is { readonly delegation: DelegationMethods } {
  return 'delegation' in flow;
}

/** A flow in which people delegate. Ada asks, Ben is a manager, Cleo and Dan have no rights of their own. */
export function delegating(
  script: Script = [[pay()], [done]],
  {
    delegating: given,
    plugins = [],
    ...settings
  }: Omit<Partial<FlowSettings>, 'plugins'> & {
    readonly delegating?: Partial<DelegationSettings>;
    /** Beside the one of delegations. */
    readonly plugins?: readonly FlowPlugin[];
  } = {},
  clock: FakeClock = fakeClock(),
) {
  const { known, hooks, people } = directory(ada, ben, cleo, dan);
  const fixture = flowFixture(script, {
    clock,
    plugins: [delegation({ people, ...given }), votes(), ...plugins],
    auditKey,
    logger: { warn: () => {}, error: () => {} },
    ...managers,
    ...settings,
  });
  onTestFinished(() => fixture.flow.close());
  const { flow } = fixture;
  return {
    ...fixture,
    clock,
    known,
    hooks,
    /** Ada's question, as it waits. */
    asked: async (chatId?: string): Promise<ApprovalId> =>
      parseApprovalId(questionIn(await fixture.chat(chatId).say('Pay.'))),
    give: (
      from: Principal,
      to: Principal,
      more: { until?: number; toolNames?: readonly string[]; note?: string } = {},
    ) => flow.delegation.give({ principal: from, to: to.id, until: clock.now() + hour, ...more }),
    answer: (principal: Principal, approvalId: ApprovalId, more: object = {}) =>
      flow.approvals.answer({ principal, approvalId, approved: true, via: 'test', ...more }),
    inbox: async (principal: Principal) =>
      (await flow.approvals.list({ principal, state: 'open' })).items.map(({ id }) => id),
  };
}
