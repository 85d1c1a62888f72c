import type { Principal } from 'countersign';
import type { PeopleDirectory } from 'countersign/plugins/delegation';

/** The rejected look-up: the givers as they were when they delegated. */
export function recordedGivers(everybody: readonly Principal[]): PeopleDirectory {
  return ({ ids }) => everybody.filter(({ id }) => ids === undefined || ids.includes(id));
}
