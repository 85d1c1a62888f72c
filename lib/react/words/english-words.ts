import { type ChatWords, defaultChatWords } from '../../client/words/chat-words.ts';
import { type CardWords, defaultCardWords } from './card-words.ts';
import { type ConnectionWords, defaultConnectionWords } from './connection-words.ts';
import { defaultInboxWords, type InboxWords } from './inbox-words.ts';
import { defaultKeyWords, type KeyWords } from './key-words.ts';
import { defaultSettledWords, type SettledWords } from './settled-words.ts';
import { defaultSheetWords, type SheetWords } from './sheet-words.ts';
import { defaultTimelineWords, type TimelineWords } from './timeline-words.ts';

/** All texts of the components, one section for each. */
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
