import type { Principal } from '../../protocol/index.ts';
import { mapInParallel } from '../../rights/map-in-parallel.ts';
import { rightToAnswer } from '../../rights/right-to-answer.ts';
import type { Engine } from '../../run/engine.ts';
import type { WatchRights } from '../../run/hooks.ts';
import type { Delegation } from './delegation.ts';
import type { Delegations } from './delegations.ts';
import type { Directory } from './directory.ts';
import { delegationsTo, giversOf } from './givers.ts';

const pageSize = 100;
/** With more open questions, a change of delegations counts without a search. */
const mostPages = 10;
const judgedAtOnce = 8;

type Watching = {
  readonly settings: Engine['settings'];
  readonly directory: Directory;
  readonly delegations: Delegations;
};

/**
 * Watches the delegations to a principal. Any person may delegate to any other one, so a change counts only if it gives or takes the right to
 * answer an open question: one that is asked later reaches the feed by itself.
 *
 * @source ADR 0049.15
 */
export function watchDelegations(watching: Watching): WatchRights {
  const { delegations } = watching;
  return async (principal, questions) => {
    const received = async () => delegationsTo(await delegations.live(), principal);
    let known = await received();

    async function hasNewRights(): Promise<boolean> {
      const before = known;
      const now = await received();
      const changed = [...without(before, now), ...without(now, before)];
      const hasRights =
        changed.length > 0 && (await concernsOpenQuestion(watching, questions, principal, changed));
      if (!hasRights && known === before) known = now;
      return hasRights;
    }

    return (callback) =>
      delegations.listen(() => {
        // If they cannot be read, the reader looks at the list, which is never wrong.
        hasNewRights().then((hasRights) => hasRights && callback(), callback);
      });
  };
}

/** Whether one of these delegations lets this principal answer a question that it could not answer otherwise. */
async function concernsOpenQuestion(
  { settings, directory }: Watching,
  questions: Parameters<WatchRights>[1],
  principal: Principal,
  changed: readonly Delegation[],
): Promise<boolean> {
  const givers = giversOf(directory, changed);
  const withChanged = { ...settings, givers: [async () => givers] };
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const { items, next } = await questions.list({ state: 'open', limit: pageSize, cursor });
    const rights = await mapInParallel(items, judgedAtOnce, (question) =>
      rightToAnswer(withChanged, principal, question),
    );
    if (rights.some((right) => right?.onBehalfOf)) return true;
    if (next === undefined) return false;
    cursor = next;
  }
  return true;
}

function without(all: readonly Delegation[], some: readonly Delegation[]): readonly Delegation[] {
  return all.filter(({ id }) => !some.some((one) => one.id === id));
}
