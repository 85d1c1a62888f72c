import type { ToolDetails } from '../../../lib/flow/index.ts';
import type { PersonName } from '../actors/people.ts';
import type { SeveralProfile } from './profile.ts';

/** Who may vote. */
export const voters: readonly PersonName[] = ['ada', 'ben', 'cleo'];

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
