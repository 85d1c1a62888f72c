import { isSameJson, type MessageId, type UserPart } from '../protocol/index.ts';

/** A message of the chat: the person's, or a turn's answer, which may be more than one to the model. */
export type MessageEntry = {
  readonly role: 'user' | 'assistant';
  messageId: MessageId | undefined;
  /** How many messages the model gets before it. */
  readonly place: number;
  /** Of a person's message: as received or imported. */
  readonly parts?: readonly ContentPart[];
};

/** Any part of a message. Only texts and files are compared. */
type ContentPart = UserPart | { readonly type: string };

/** The messages of a chat by their ids, oldest first. */
export function createMessageOrder() {
  const entries: MessageEntry[] = [];
  const indexOf = (messageId: MessageId) => entries.findIndex((entry) => entry.messageId === messageId);

  return {
    add(entry: MessageEntry): MessageEntry {
      entries.push(entry);
      return entry;
    },

    /** Removes a message and all that follow. @returns the message, if there is one with this id */
    cut(messageId: MessageId): MessageEntry | undefined {
      const index = indexOf(messageId);
      const entry = entries[index];
      if (entry) entries.length = index;
      return entry;
    },

    has: (messageId: MessageId): boolean => indexOf(messageId) !== -1,

    /** Whether this message has other texts or files. Data and metadata are the page's own. @source H7 */
    hasOtherContent(messageId: MessageId, parts: readonly UserPart[]): boolean {
      const known = entries[indexOf(messageId)]?.parts;
      return known !== undefined && !isSameJson(contentOf(known), contentOf(parts));
    },

    /** The message that follows a user message, if there is one. */
    answerTo(messageId: MessageId): MessageId | undefined {
      const index = indexOf(messageId);
      return index === -1 ? undefined : entries[index + 1]?.messageId;
    },

    /** The user message with this id, or the last one before the message with this id. */
    userMessageFor(messageId: MessageId | undefined): MessageId | undefined {
      const index = messageId === undefined ? entries.length - 1 : indexOf(messageId);
      return entries.slice(0, index + 1).findLast(({ role }) => role === 'user')?.messageId;
    },
  };
}

function contentOf(parts: readonly ContentPart[]): (string | null)[][] {
  return parts.flatMap((part) => {
    if ('text' in part && part.type === 'text')
      return part.text === '' ? [] : [['text', part.text.toWellFormed()]];
    if (!('url' in part)) return [];
    return [['file', part.url, part.mediaType, part.filename?.toWellFormed() ?? null]];
  });
}
