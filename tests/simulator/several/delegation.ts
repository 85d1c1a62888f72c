import { delegation } from '../../../lib/plugins/delegation/index.ts';
import { people } from '../actors/people.ts';

/** People may delegate to all people of the schedule. */
export const delegates = () => delegation({ people: () => Object.values(people) });
