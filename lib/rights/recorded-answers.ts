import type { Question, RecordedAnswer } from '../protocol/index.ts';
import { currentId, type FormerIds } from '../settings/former-ids.ts';

type Given = Pick<RecordedAnswer, 'by' | 'onBehalfOf'>;

/** The current ids of an answer's people: who acted, and whose right it was. Each person answers once, whoever acts. */
function peopleOf(settings: FormerIds, { by, onBehalfOf = by }: Given): readonly string[] {
  return [by, onBehalfOf].map(({ id }) => currentId(settings, id));
}

/** The recorded answer of a person, under any of the person's ids. @source ADR 0047 */
export function answerOfPerson<One extends Given>(
  settings: FormerIds,
  recorded: readonly One[],
  person: { readonly id: string },
): One | undefined {
  return recorded.find((one) => peopleOf(settings, one).includes(person.id));
}

/** Whether a person has given an answer to a question that left it open. */
export function hasAnswered(
  settings: FormerIds,
  person: { readonly id: string },
  { answers = [] }: Pick<Question, 'answers'>,
): boolean {
  return answerOfPerson(settings, answers, person) !== undefined;
}

/** The question without its answers: each of them has used a right of a delegation, too. */
export function withoutAnswers({ answers: _answers, ...question }: Question): Question {
  return question;
}

/** At most one answer for each person, whose ids may have been two people's at first. @source ADR 0047 */
export function distinctAnswers<One extends Given>(
  settings: FormerIds,
  answers: readonly One[],
): readonly One[] {
  const known = new Set<string>();
  return answers.filter((answer) => {
    const ids = peopleOf(settings, answer);
    const isNew = ids.every((id) => !known.has(id));
    if (isNew) for (const id of ids) known.add(id);
    return isNew;
  });
}
