import type { ToolDetails } from '../../../lib/flow/index.ts';
import { delegation } from '../../../lib/plugins/delegation/index.ts';
import { type PersonName, people } from '../actors/people.ts';
import { escalates } from './escalation.ts';
import type { SeveralProfile } from './profile.ts';

/** Who may vote. */
export const voters: readonly PersonName[] = ['ada', 'ben', 'cleo'];

/** The plugins for several people, with the settings of such a schedule. */
export function severalPlugins(profile: Pick<SeveralProfile, 'escalation'> = {}) {
  return [escalates(profile), delegation({ people: () => Object.values(people) })] as const;
}

/** Who may vote on a question. */
export function mayVote(
  { isAskerIncluded }: SeveralProfile,
  personId: string,
  askedBy: { readonly id: string },
): boolean {
  return voters.includes(personId as PersonName) && (isAskerIncluded || personId !== askedBy.id);
}

/** The details of a tool that needs two approvals. */
export function votedDetails(profile: SeveralProfile): ToolDetails {
  return {
    votes: { count: 2, ...(profile.denials > 1 && { denials: profile.denials }) },
    approvers: ({ id }, { askedBy }) => mayVote(profile, id, askedBy),
  };
}
