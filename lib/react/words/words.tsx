'use client';

import { type ReactNode, useContext, useMemo } from 'react';
import { type CardWords, defaultCardWords } from './card-words.ts';
import { type ChatWords, defaultChatWords } from './chat-words.ts';
import { defaultInboxWords, type InboxWords } from './inbox-words.ts';
import { defaultTimelineWords, type TimelineWords } from './timeline-words.ts';
import { defaultInvocationWords, type InvocationWords } from './tool-invocation-words.ts';
import { WordsContext } from './use-words.ts';

/** All texts of the components, one section for each. English is included; pass your own for other languages. */
export type Words = {
  readonly chat: ChatWords;
  readonly inbox: InboxWords;
  readonly invocation: InvocationWords;
  readonly timeline: TimelineWords;
  readonly card: CardWords;
};

/** Plain English. */
export const englishWords: Words = {
  chat: defaultChatWords,
  inbox: defaultInboxWords,
  invocation: defaultInvocationWords,
  timeline: defaultTimelineWords,
  card: defaultCardWords,
};

/** Some words of some sections: the rest stays English. */
export type WordsGiven = { readonly [Section in keyof Words]?: Partial<Words[Section]> };

/** Sets the texts of all components below it. */
export function WordsProvider({ words, children }: { words: WordsGiven; children: ReactNode }) {
  const above = useContext(WordsContext);
  const merged = useMemo(() => withGiven(above, words), [above, words]);
  return <WordsContext.Provider value={merged}>{children}</WordsContext.Provider>;
}

function withGiven(above: WordsGiven, given: WordsGiven): WordsGiven {
  return {
    chat: { ...above.chat, ...given.chat },
    inbox: { ...above.inbox, ...given.inbox },
    invocation: { ...above.invocation, ...given.invocation },
    timeline: { ...above.timeline, ...given.timeline },
    card: { ...above.card, ...given.card },
  };
}
