import type { EventOf, Question, Vote } from '../../protocol/index.ts';
import { currentId, type FormerIds } from '../../settings/former-ids.ts';

type Cast = Pick<Vote, 'by' | 'onBehalfOf'>;

/** The current ids of a vote's people: who acted, and whose right it was. Each person has one vote, whoever acts. */
function peopleOf(settings: FormerIds, { by, onBehalfOf = by }: Cast): readonly string[] {
  return [by, onBehalfOf].map(({ id }) => currentId(settings, id));
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
  return votes.find((vote) => peopleOf(settings, vote).includes(person.id));
}

/** Whether a person has voted on a question without settling it. */
export function hasVoted(
  settings: FormerIds,
  person: { readonly id: string },
  { votes, answer }: Question,
): boolean {
  const { cast = [] } = votes ?? {};
  // The last vote of an answered question is the answer.
  return voteOfPerson(settings, answer ? cast.slice(0, -1) : cast, person) !== undefined;
}

/** The question without its votes: a vote uses the right of a delegation, too. */
export function withoutVotes({ votes: _votes, ...question }: Question): Question {
  return question;
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
    const ids = peopleOf(settings, vote);
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
