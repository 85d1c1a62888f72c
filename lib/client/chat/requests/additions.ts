import type { UIMessage } from 'ai';
import { unsentIn } from '../message-parts.ts';
import type { SdkChat } from '../sdk-chat.ts';

/** What adding to the last message needs. */
export type AdditionsSettings<Message extends UIMessage> = {
  readonly chat: SdkChat<Message>;
  /** A response is being replayed, or is about to be: what the message holds now will be replaced. */
  readonly isReplaying: () => boolean;
  /** A message that did not arrive is in the chat again. */
  readonly onReturned: () => void;
};

/** @see createAdditions */
export type Additions = {
  readonly add: (adding: () => void) => void;
  /** To be called when the chat comes to rest, or will not replay anything. */
  readonly rested: () => void;
};

/**
 * What a page adds to the last message of the assistant: answers, and outputs of client tools. During a replay, which would
 * drop them, they wait for its end.
 *
 * A message that did not arrive is kept aside while the question before it is answered: the SDK sends an answer only from the
 * last message, and our transports would send the message along, which cancels what is left to ask. It returns at the end of
 * the response, to be sent by `retry`.
 */
export function createAdditions<Message extends UIMessage>({
  chat,
  isReplaying,
  onReturned,
}: AdditionsSettings<Message>): Additions {
  const waiting: (() => void)[] = [];
  let aside: Message[] = [];

  const add = (adding: () => void): void => {
    if (isReplaying()) {
      waiting.push(adding);
      return;
    }
    const unsent = unsentIn(chat.messages);
    // While a request is in progress, they may be arriving.
    if (!chat.isBusy && unsent.length > 0) {
      aside = unsent;
      chat.messages = chat.messages.slice(0, -unsent.length);
    }
    adding();
  };

  return {
    add,
    rested() {
      if (!chat.isBusy && aside.length > 0) {
        onReturned();
        chat.messages = [...chat.messages, ...aside];
        aside = [];
      }
      if (!isReplaying()) for (const adding of waiting.splice(0)) add(adding);
    },
  };
}
