import { type Invariant, tally } from '../invariant.ts';
import { keyOf } from './facts.ts';

/** Each copy of an event has the same id and time, on every instance, and no other event has that id (ADR 0043). */
export const eventIds: Invariant = {
  name: 'copies of an event have one id, which no other event has',
  check(history) {
    const { verify, result } = tally();
    const ids = new Map<string, string>();
    const meanings = new Map<string, string>();
    for (const { event, subscriber } of history.deliveries) {
      // Each subscriber has a time of its own at which a question is due soon.
      const at = event.type === 'question.due-soon' ? 'a time' : event.timestamp;
      const meaning = `${keyOf(event)} at ${at}`;
      const id = ids.get(keyOf(event)) ?? event.id;
      const known = meanings.get(event.id) ?? meaning;
      ids.set(keyOf(event), id);
      meanings.set(event.id, known);
      verify(
        id !== event.id && `${subscriber} was sent ${keyOf(event)} with the ids ${id} and ${event.id}`,
        known !== meaning && `${subscriber} was sent ${meaning} with the id of ${known}`,
      );
    }
    return result();
  },
};
