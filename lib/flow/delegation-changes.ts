import type { Delegation, Principal } from '../protocol/index.ts';
import { withSharedLookups } from '../rights/delegation/directory.ts';
import { delegationsTo, type RightsSettings } from '../rights/delegation/givers.ts';
import { mapInParallel } from '../rights/map-in-parallel.ts';
import { rightToAnswer } from '../rights/right-to-answer.ts';
import type { Engine } from '../run/engine.ts';
import type { SharedFeeds } from '../views/questions/shared-feeds.ts';

const pageSize = 100;
/** With more open questions, a change of delegations counts without a search. */
const mostPages = 10;
const judgedAtOnce = 8;

/**
 * Watches the delegations to a principal. Any person may delegate to any other one, so a change counts only if it gives or takes the right to
 * answer an open question: one that is asked later reaches the feed by itself.
 *
 * @returns a function that calls back when such a change has happened, and returns a function that ends the watch
 * @source ADR 0049.15
 */
export async function delegationChanges(
  { settings, delegations }: Pick<Engine, 'settings' | 'delegations'>,
  questions: SharedFeeds['questions'],
  principal: Principal,
): Promise<(callback: () => void) => () => void> {
  let known = await delegationsTo(settings, principal);

  async function hasNewRights(): Promise<boolean> {
    const before = known;
    const now = await delegationsTo(settings, principal);
    const changed = [...without(before, now), ...without(now, before)];
    const hasRights =
      changed.length > 0 && (await concernsOpenQuestion(settings, questions, principal, changed));
    if (!hasRights && known === before) known = now;
    return hasRights;
  }

  return (callback) =>
    delegations?.listen(() => {
      // If they cannot be read, the reader looks at the list, which is never wrong.
      hasNewRights().then((hasRights) => hasRights && callback(), callback);
    }) ?? (() => {});
}

/** Whether one of these delegations lets this principal answer a question that it could not answer otherwise. */
async function concernsOpenQuestion(
  given: RightsSettings,
  questions: SharedFeeds['questions'],
  principal: Principal,
  changed: readonly Delegation[],
): Promise<boolean> {
  const settings = withSharedLookups({ ...given, delegated: { live: async () => changed } });
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const { items, next } = await questions.list({
      state: 'open',
      limit: pageSize,
      cursor,
    });
    const rights = await mapInParallel(items, judgedAtOnce, (question) =>
      rightToAnswer(settings, principal, question),
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
