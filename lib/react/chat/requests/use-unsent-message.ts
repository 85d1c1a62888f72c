'use client';

import type { UseChatHelpers } from '@ai-sdk/react';
import type { UIMessage } from 'ai';
import { type Dispatch, type SetStateAction, useEffect, useRef } from 'react';
import { unsentIn } from '../../../client/chat/message-parts.ts';
import { useLatest } from '../../use-latest.ts';
import { useChatWords } from '../../words/use-words.ts';
import { type RequestFailure, unsentFailure } from './explain-failure.ts';

/** What keeping a message needs. */
export type UnsentMessageSettings<Message extends UIMessage> = {
  readonly chat: UseChatHelpers<Message>;
  readonly setFailure: Dispatch<SetStateAction<RequestFailure | undefined>>;
};

/**
 * Keeps a message that did not arrive while the question before it is answered: the SDK sends an answer only from the last
 * message, and our transports would send the message along, which cancels what is left to ask. It returns at the end of the
 * response, to be sent by `retry`.
 *
 * @returns takes the message out of the chat, before an answer is added
 */
export function useUnsentMessage<Message extends UIMessage>({
  chat,
  setFailure,
}: UnsentMessageSettings<Message>): () => void {
  const words = useChatWords();
  const kept = useRef<Message[]>([]);
  const isAtRest = chat.status === 'ready' || chat.status === 'error';

  const putBack = useLatest(() => {
    const messages = kept.current.splice(0);
    if (messages.length === 0) return;
    chat.setMessages((now) => [...now, ...messages]);
    setFailure((now) => now ?? unsentFailure(words));
  });
  useEffect(() => {
    if (isAtRest) putBack();
  }, [isAtRest, putBack]);

  return useLatest(() => {
    const unsent = unsentIn(chat.messages);
    // While a request is in progress, they may be arriving.
    if (!isAtRest || unsent.length === 0) return;
    kept.current = unsent;
    chat.setMessages((now) => now.slice(0, -unsent.length));
  });
}
