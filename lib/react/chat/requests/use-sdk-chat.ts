'use client';

import { type UseChatHelpers, useChat } from '@ai-sdk/react';
import type { ChatInit, UIMessage } from 'ai';
import { useState } from 'react';
import { z } from 'zod';
import type { LiveEvent } from '../../../client/chat/live-parts.ts';
import { askedAgain } from '../../../client/chat/message-parts.ts';
import type { StoredChat } from '../../../client/chat/stored-chat.ts';
import { messageChangedSchema } from '../../../protocol/wire/chat/message-changed.ts';

const changedPart = z.object({ type: z.literal('data-message-changed'), data: messageChangedSchema });

/** How the SDK's chat begins. */
export type SdkChatSettings<Message extends UIMessage> = {
  readonly init: Omit<ChatInit<Message>, 'transport'>;
  readonly stored: StoredChat<Message> | undefined;
  readonly resume: boolean | undefined;
  readonly throttle: number;
  readonly transport: NonNullable<ChatInit<Message>['transport']>;
  readonly feed: (event: LiveEvent<Message>) => void;
  /** The server says that an earlier message has changed. */
  readonly onChanged: (messageId: string) => void;
  readonly onError: (error: Error) => void;
};

/** `useChat` with the stored chat, resuming its run if one is active or waiting. */
export function useSdkChat<Message extends UIMessage>(
  settings: SdkChatSettings<Message>,
): UseChatHelpers<Message> {
  const { init, stored, resume, throttle, transport, feed, onChanged, onError } = settings;
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
      const { data: changed } = changedPart.safeParse(part);
      if (changed) onChanged(changed.data.messageId);
      else feed({ type: 'received', part });
      init.onData?.(part);
    },
    onError(error) {
      onError(error);
      init.onError?.(error);
    },
  });
}
