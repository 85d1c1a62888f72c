import type { MessageId } from '../protocol/index.ts';

/** A message of the chat: the person's, or a turn's answer, which may be more than one to the model. */
export type MessageEntry = {
  readonly role: 'user' | 'assistant';
  messageId: MessageId | undefined;
  /** How many messages the model gets before it. */
  readonly place: number;
};

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
