'use client';

import { type ReactNode, useContext, useMemo } from 'react';
import type { Words } from './english-words.ts';
import { WordsContext } from './use-section.ts';

/** Some texts of some sections. The others stay in English. */
export type WordsGiven = { readonly [Section in keyof Words]?: Partial<Words[Section]> };

/** Sets the texts of all components below it. */
export function WordsProvider({ words, children }: { words: WordsGiven; children: ReactNode }) {
  const above = useContext(WordsContext);
  const merged = useMemo(() => withGiven(above, words), [above, words]);
  return <WordsContext.Provider value={merged}>{children}</WordsContext.Provider>;
}

function withGiven(above: Readonly<Record<string, object>>, given: WordsGiven) {
  const sections = Object.entries(given).map(([name, texts]) => [name, { ...above[name], ...texts }]);
  return { ...above, ...Object.fromEntries(sections) };
}
