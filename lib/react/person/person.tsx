'use client';

import { createContext, type ReactNode, useContext } from 'react';
import type { Person } from '../../client/question.ts';
import { visibleText } from '../../client/text/visible-text.ts';
import { useCardWords } from '../words/card-words.ts';

const PersonContext = createContext<string | undefined>(undefined);

/**
 * Identifies this person to the components below, which then call them "you", even after a reload and for
 * answers given on another page.
 *
 * @param id the `id` of the principal that `authorize` returns for this person; `undefined` until it is known
 * @source ADR 0038
 */
export function PersonProvider({ id, children }: { id: string | undefined; children: ReactNode }) {
  return <PersonContext.Provider value={id}>{children}</PersonContext.Provider>;
}

/** How to refer to a person: "you" for this person, or if no person is given. */
export function usePersonName(): (person: Person | undefined) => string {
  const own = useContext(PersonContext);
  const { you } = useCardWords();
  return (person) => (person === undefined || person.id === own ? you : visibleText(person.name));
}
