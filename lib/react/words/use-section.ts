'use client';

import { createContext, useContext, useMemo } from 'react';

/** Some texts of some sections, from the surrounding providers. */
export const WordsContext = createContext<Readonly<Record<string, object>>>({});

/** The texts of one section for this place in the tree. Each section is a file: a page has only those that it uses. */
export function useSection<English extends object>(section: string, english: English): English {
  const given = useContext(WordsContext)[section];
  return useMemo(() => (given ? { ...english, ...given } : english), [english, given]);
}
