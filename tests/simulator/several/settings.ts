import type { FlowPlugin, FlowSettings, ToolDetails } from '../../../lib/flow/index.ts';
import { delegation } from '../../../lib/plugins/delegation/index.ts';
import { type PersonName, people } from '../actors/people.ts';
import type { SeveralProfile } from './profile.ts';

/** Who may vote. */
export const voters: readonly PersonName[] = ['ada', 'ben', 'cleo'];

/** What the flow of such a schedule has, besides the details of its tools. */
export function severalSettings({ escalation }: SeveralProfile): Partial<FlowSettings> {
  return {
    ...(escalation && {
      escalation: {
        steps: escalation.steps.map(({ adds, ...step }) => ({
          ...step,
          label: people[adds].name,
          to: ({ id }) => id === adds,
        })),
        ...(escalation.end && { end: escalation.end }),
      },
    }),
  };
}

/** The plugins of such a schedule. */
export function severalPlugins({ delegates }: SeveralProfile): readonly FlowPlugin[] {
  return delegates ? [delegation({ people: () => Object.values(people) })] : [];
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
export function votedDetails(profile: SeveralProfile): Pick<ToolDetails, 'approvals'> {
  return {
    approvals: {
      count: 2,
      ...(profile.denials > 1 && { denials: profile.denials }),
      of: ({ id }, { askedBy }) => mayVote(profile, id, askedBy),
    },
  };
}
