'use client';

import { createContext, useContext, useMemo } from 'react';
import { type ChatWords, defaultChatWords } from '../../client/words/chat-words.ts';
import { type CardWords, defaultCardWords } from './card-words.ts';
import { type ConnectionWords, defaultConnectionWords } from './connection-words.ts';
import { defaultInboxWords, type InboxWords } from './inbox-words.ts';
import { defaultKeyWords, type KeyWords } from './key-words.ts';
import { defaultSettledWords, type SettledWords } from './settled-words.ts';
import { defaultSheetWords, type SheetWords } from './sheet-words.ts';
import { defaultTimelineWords, type TimelineWords } from './timeline-words.ts';

/**
 * All texts of the components, one section for each. English is the default; pass your own for other
 * languages.
 */
export type Words = {
  readonly chat: ChatWords;
  readonly connection: ConnectionWords;
  readonly inbox: InboxWords;
  readonly settled: SettledWords;
  readonly sheet: SheetWords;
  readonly timeline: TimelineWords;
  readonly card: CardWords;
  readonly keys: KeyWords;
};

/** Some texts of some sections. The others stay in English. */
export type WordsGiven = { readonly [Section in keyof Words]?: Partial<Words[Section]> };

/** The texts from the surrounding providers. */
export const WordsContext = createContext<WordsGiven>({});

/**
 * The texts of one section for this place in the tree. A page bundles the English texts only of the sections
 * that it uses.
 */
function useSection<Section extends keyof Words, English extends Partial<Words[Section]>>(
  section: Section,
  english: English,
): English {
  const given: Partial<Words[Section]> | undefined = useContext(WordsContext)[section];
  return useMemo(() => (given ? { ...english, ...given } : english), [english, given]);
}

/** The texts of the approval card and the tool card. */
export const useCardWords = (): CardWords => useSection('card', defaultCardWords);

/** The texts of `useApprovalChat`. */
export const useChatWords = (): ChatWords => useSection('chat', defaultChatWords);

/** The texts of `ConnectionNotice`. */
export const useConnectionWords = (): ConnectionWords => useSection('connection', defaultConnectionWords);

/** The texts of the inbox. */
export const useInboxWords = (): InboxWords => useSection('inbox', defaultInboxWords);

/** The texts of `SettledInbox`. */
export const useSettledWords = (): SettledWords => useSection('settled', defaultSettledWords);

/** The texts of `QuestionSheet`. */
export const useSheetWords = (): SheetWords => useSection('sheet', defaultSheetWords);

/** The texts of `ApprovalKeys`. */
export const useKeyWords = (): KeyWords => useSection('keys', defaultKeyWords);

/** The texts of the timeline. */
export const useTimelineWords = (): TimelineWords => useSection('timeline', defaultTimelineWords);
