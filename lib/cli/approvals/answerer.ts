import { answererName } from '../../client/text/answerer-name.ts';
import type { AnswerJson } from '../../protocol/wire/question.ts';

const english = { forPerson: (name: string, other: string) => `${name} for ${other}` };

/** Who answered: "Ada", or "Ada for Ben". Not yet fit for a terminal. */
export function answererOf(answer: AnswerJson): string {
  return answererName(answer, (person) => person?.name ?? '', english);
}
