import type { EventOf, Person, Vote } from '../protocol/index.ts';
import { type FormerIds, idNow } from '../settings/former-ids.ts';

type Cast = Pick<Vote, 'by' | 'onBehalfOf'>;

/** The people of a vote: who acted, and whose right it was. Each person has one vote, whoever acts. */
function peopleOf({ by, onBehalfOf }: Cast): readonly Person[] {
  return onBehalfOf ? [by, onBehalfOf] : [by];
}

/**
 * The vote of a person, under any of the person's ids.
 *
 * @source ADR 0047
 */
export function voteOfPerson<One extends Cast>(
  settings: FormerIds,
  votes: readonly One[],
  person: { readonly id: string },
): One | undefined {
  const id = idNow(settings, person.id);
  return votes.find((vote) => peopleOf(vote).some((each) => idNow(settings, each.id) === id));
}

/**
 * The votes that count: at most one for each person. Two ids that belonged to two principals may be known to be one person
 * now.
 *
 * @source ADR 0047
 */
function distinctVotes<One extends Cast>(settings: FormerIds, votes: readonly One[]): readonly One[] {
  const known = new Set<string>();
  return votes.filter((vote) => {
    const ids = peopleOf(vote).map(({ id }) => idNow(settings, id));
    const isNew = ids.every((id) => !known.has(id));
    if (isNew) for (const id of ids) known.add(id);
    return isNew;
  });
}

/**
 * Whether these answers settle a question: enough of them approve, or enough deny, each of another person.
 *
 * @param required of the question; `undefined`: the first answer settles
 * @param votes all, the last of which may settle
 * @source ADR 0047
 */
export function settles(
  settings: FormerIds,
  required: EventOf<'approval-requested'>['approvals'],
  votes: readonly (Cast & Pick<Vote, 'approved'>)[],
): boolean {
  const approved = votes.at(-1)?.approved === true;
  if (!required) return votes.length > 0;
  const same = votes.filter((vote) => vote.approved === approved);
  const { count, denials = 1 } = required;
  return distinctVotes(settings, same).length >= (approved ? count : denials);
}
