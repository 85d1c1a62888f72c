import { escalation } from '../../../lib/plugins/escalation/index.ts';
import { people } from '../actors/people.ts';
import type { SeveralProfile } from './profile.ts';

/** Escalates the questions of such a schedule while nobody answers them. */
export function escalates({ escalation: of }: Pick<SeveralProfile, 'escalation'> = {}) {
  return escalation(
    of && {
      ...of,
      steps: of.steps.map(({ adds, ...step }) => ({
        ...step,
        label: people[adds].name,
        to: ({ id }) => id === adds,
      })),
    },
  );
}
