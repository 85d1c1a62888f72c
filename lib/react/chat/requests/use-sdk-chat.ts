'use client';

import { type UseChatHelpers, useChat } from '@ai-sdk/react';
import type { ChatInit, UIMessage } from 'ai';
import { useState } from 'react';
import type { LiveEvent } from '../../../client/chat/live-parts.ts';
import { askedAgain } from '../../../client/chat/message-parts.ts';
import type { StoredChat } from '../../../client/chat/stored-chat.ts';

/** How the SDK's chat begins. */
export type SdkChatSettings<Message extends UIMessage> = {
  readonly init: Omit<ChatInit<Message>, 'transport'>;
  readonly stored: StoredChat<Message> | undefined;
  readonly resume: boolean | undefined;
  readonly throttle: number;
  readonly transport: NonNullable<ChatInit<Message>['transport']>;
  readonly feed: (event: LiveEvent<Message>) => void;
  readonly onError: (error: Error) => void;
};

/** `useChat` with the stored chat, resuming its run if one is active or waiting. */
export function useSdkChat<Message extends UIMessage>(
  settings: SdkChatSettings<Message>,
): UseChatHelpers<Message> {
  const { init, stored, resume, throttle, transport, feed, onError } = settings;
  const resumes = resume ?? (stored?.run.status === 'active' || stored?.run.status === 'waiting');
  // Read once, as `useChat` does. Stored and replayed messages come from the server.
  const [initial] = useState(() => (init.messages && !resumes ? askedAgain(init.messages) : init.messages));
  return useChat<Message>({
    ...init,
    id: init.id ?? stored?.id,
    messages: initial ?? stored?.messages,
    transport,
    throttle,
    resume: resumes,
    onData(part) {
      feed({ type: 'received', part });
      init.onData?.(part);
    },
    onError(error) {
      onError(error);
      init.onError?.(error);
    },
  });
}
