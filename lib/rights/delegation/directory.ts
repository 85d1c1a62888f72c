import { systemClock } from '../../protocol/clock/system-clock.ts';
import { errorPlace, isPrincipal, type Principal } from '../../protocol/index.ts';
import type { PeopleQuery } from '../../settings/delegation/people.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { withCurrentId } from '../../settings/former-ids.ts';

/** How long the directory may take. */
const limitMs = 2_000;

/**
 * Asks the directory of people. If it fails or takes too long, this is logged.
 *
 * @returns at most `query.limit` people with their current ids, each once; `undefined` if the directory has no answer
 * @source ADR 0049
 */
export async function findPeople(
  settings: FlowSettings,
  query: PeopleQuery,
): Promise<readonly Principal[] | undefined> {
  const { people, logger, clock = systemClock } = settings;
  if (!people) return undefined;
  const { promise: late, reject } = Promise.withResolvers<never>();
  const cancel = clock.after(limitMs, () =>
    reject(new DOMException('The directory is slow.', 'TimeoutError')),
  );
  try {
    const found: unknown = await Promise.race([(async () => people(query))(), late]);
    if (!Array.isArray(found)) throw new TypeError('`people` must return a list.');
    const known = found.filter(isPrincipal).map((person) => withCurrentId(settings, person));
    const wanted = query.ids ? known.filter(({ id }) => query.ids.includes(id)) : known;
    return [...new Map(wanted.map((person) => [person.id, person])).values()].slice(0, query.limit);
  } catch (error) {
    logger?.error('The directory of people failed. Nobody was found.', { error: errorPlace(error) });
    return undefined;
  } finally {
    cancel();
  }
}

/** One person as the directory has them now; `undefined` for a person who is not in it. @param id the current one */
export async function findPerson(settings: FlowSettings, id: string): Promise<Principal | undefined> {
  const found = await findPeople(settings, { ids: [id], limit: 1 });
  return found?.find((person) => person.id === id);
}

/** The same settings for the questions of one list: each person is looked up once. */
export function withSharedLookups<Settings extends FlowSettings>(settings: Settings): Settings {
  const { people } = settings;
  if (!people) return settings;
  const asked = new Map<string, ReturnType<typeof people>>();
  return {
    ...settings,
    people(query) {
      if (query.ids === undefined) return people(query);
      const key = JSON.stringify(query.ids);
      const found = asked.get(key) ?? people(query);
      asked.set(key, found);
      return found;
    },
  };
}
