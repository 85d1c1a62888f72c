import type { Principal } from 'countersign';
import type { PeopleDirectory } from 'countersign/plugins/delegation';
import { demoIdentities } from '../_identity/identity.ts';

const everybody: readonly Principal[] = demoIdentities.map(({ id, login, label }) => ({
  id,
  name: login?.name ?? label,
  role: login?.role,
}));

/**
 * The directory of people: those of `COUNTERSIGN_PEOPLE`, or else the identities of the demo, with their roles. An app would
 * ask its own.
 */
export function directoryOf(people: readonly Principal[]): PeopleDirectory {
  const known = people.length > 0 ? people : everybody;
  return ({ ids, search }) => {
    if (ids) return known.filter(({ id }) => ids.includes(id));
    if (search === undefined) return known;
    return known.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  };
}
