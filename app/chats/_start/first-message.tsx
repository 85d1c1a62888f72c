'use client';

import type { ReactNode } from 'react';
import { createContext, useContext, useState } from 'react';

/** Passes the first message of a new chat from the start page to the chat's page. */
export type FirstMessages = {
  put: (chatId: string, text: string) => void;
  has: (chatId: string) => boolean;
  /** Returns the message once: a page that mounts twice must not send it twice. */
  take: (chatId: string) => string | undefined;
};

const FirstMessageContext = createContext<FirstMessages | undefined>(undefined);

/** Lives above the pages, so that a message survives the navigation between them. */
export function FirstMessageProvider({ children }: { children: ReactNode }) {
  const [messages] = useState(createFirstMessages);
  return <FirstMessageContext value={messages}>{children}</FirstMessageContext>;
}

/** @throws Error outside of `FirstMessageProvider` */
export function useFirstMessages(): FirstMessages {
  const messages = useContext(FirstMessageContext);
  if (messages === undefined) throw new Error('useFirstMessages needs a FirstMessageProvider above it.');
  return messages;
}

function createFirstMessages(): FirstMessages {
  const waiting = new Map<string, string>();
  return {
    put: (chatId, text) => waiting.set(chatId, text),
    has: (chatId) => waiting.has(chatId),
    take: (chatId) => {
      const text = waiting.get(chatId);
      waiting.delete(chatId);
      return text;
    },
  };
}
