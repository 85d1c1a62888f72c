import { errorPlace, isPrincipal, type Principal } from '../../protocol/index.ts';
import type { Engine } from '../../run/engine.ts';
import { withCurrentId } from '../../settings/former-ids.ts';
import type { PeopleDirectory, PeopleQuery } from './settings.ts';

/** How long the directory may take. */
const limitMs = 2_000;

/** @see createDirectory */
export type Directory = ReturnType<typeof createDirectory>;

/**
 * Asks the directory of people. If it fails or takes too long, this is logged.
 *
 * @source ADR 0049
 */
export function createDirectory(
  people: PeopleDirectory,
  { settings, logger, clock }: Pick<Engine, 'settings' | 'logger' | 'clock'>,
) {
  /** @returns at most `query.limit` people with their current ids, each once; `undefined` if the directory has no answer */
  async function find(query: PeopleQuery): Promise<readonly Principal[] | undefined> {
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
      logger.error('The directory of people failed. Nobody was found.', { error: errorPlace(error) });
      return undefined;
    } finally {
      cancel();
    }
  }

  return {
    find,
    /** One person as the directory has them now; `undefined` for a person who is not in it. @param id the current one */
    person: async (id: string): Promise<Principal | undefined> => (await find({ ids: [id], limit: 1 }))?.[0],
  };
}
