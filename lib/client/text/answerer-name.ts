import type { Person } from '../question.ts';

/**
 * Who answered, in words: "Ada", or "Ada for Ben" if Ben had delegated the right to Ada.
 *
 * @param nameOf a person in words; `undefined` is this person
 * @source ADR 0049
 */
export function answererName(
  { by, onBehalfOf }: { readonly by?: Person | undefined; readonly onBehalfOf?: Person | undefined },
  nameOf: (person: Person | undefined) => string,
  words: { forPerson(name: string, other: string): string },
): string {
  const name = nameOf(by);
  return onBehalfOf ? words.forPerson(name, nameOf(onBehalfOf)) : name;
}
