'use client';

import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { defaultInvocationWords, type InvocationWords } from './tool-invocation-words.ts';

/** Everything the components say by themselves, a section for each. English ships; give your own for others. */
export type Words = {
  readonly invocation: InvocationWords;
};

/** Plain English. */
export const englishWords: Words = {
  invocation: defaultInvocationWords,
};

/** Some words of some sections: the rest stays English. */
export type WordsGiven = { readonly [Section in keyof Words]?: Partial<Words[Section]> };

const WordsContext = createContext<Words>(englishWords);

/** Gives all components below it their words. */
export function WordsProvider({ words, children }: { words: WordsGiven; children: ReactNode }) {
  const above = useContext(WordsContext);
  const merged = useMemo(() => withGiven(above, words), [above, words]);
  return <WordsContext.Provider value={merged}>{children}</WordsContext.Provider>;
}

/** The words that hold here. */
export function useWords(): Words {
  return useContext(WordsContext);
}

function withGiven(above: Words, given: WordsGiven): Words {
  return { invocation: { ...above.invocation, ...given.invocation } };
}
