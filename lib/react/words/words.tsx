'use client';

import { type ReactNode, useContext, useMemo } from 'react';
import { defaultChatWords } from '../../client/words/chat-words.ts';
import { defaultCardWords } from './card-words.ts';
import { defaultConnectionWords } from './connection-words.ts';
import { defaultInboxWords } from './inbox-words.ts';
import { defaultKeyWords } from './key-words.ts';
import { defaultSettledWords } from './settled-words.ts';
import { defaultSheetWords } from './sheet-words.ts';
import { defaultTimelineWords } from './timeline-words.ts';
import { type Words, WordsContext, type WordsGiven } from './use-words.ts';

/** Plain English. */
export const englishWords: Words = {
  chat: defaultChatWords,
  connection: defaultConnectionWords,
  inbox: defaultInboxWords,
  settled: defaultSettledWords,
  sheet: defaultSheetWords,
  timeline: defaultTimelineWords,
  card: defaultCardWords,
  keys: defaultKeyWords,
};

/** Sets the texts of all components below it. */
export function WordsProvider({ words, children }: { words: WordsGiven; children: ReactNode }) {
  const above = useContext(WordsContext);
  const merged = useMemo(() => withGiven(above, words), [above, words]);
  return <WordsContext.Provider value={merged}>{children}</WordsContext.Provider>;
}

function withGiven(above: WordsGiven, given: WordsGiven): WordsGiven {
  return {
    chat: { ...above.chat, ...given.chat },
    connection: { ...above.connection, ...given.connection },
    inbox: { ...above.inbox, ...given.inbox },
    settled: { ...above.settled, ...given.settled },
    sheet: { ...above.sheet, ...given.sheet },
    timeline: { ...above.timeline, ...given.timeline },
    card: { ...above.card, ...given.card },
    keys: { ...above.keys, ...given.keys },
  };
}
