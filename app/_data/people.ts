import type { FlowSettings, Principal } from 'countersign';
import { demoIdentities } from '../_identity/identity.ts';

const everybody: readonly Principal[] = demoIdentities.map(({ id, login, label }) => ({
  id,
  name: login?.name ?? label,
  ...(login?.role !== undefined && { role: login.role }),
}));

/** The directory of people: the identities of the demo, with their roles. An app would ask its own. */
export const demoPeople: NonNullable<FlowSettings['people']> = ({ ids, search }) => {
  if (ids) return everybody.filter(({ id }) => ids.includes(id));
  if (search === undefined) return everybody;
  return everybody.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
};
