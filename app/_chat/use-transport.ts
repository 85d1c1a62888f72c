'use client';

import type { ChatTransport } from 'ai';
import { createSendAutomaticallyWhen as createBidiPredicate, createBidiTransport } from 'countersign/bidi';
import { createSendAutomaticallyWhen as createSsePredicate, createSseTransport } from 'countersign/sse';
import { useEffect, useMemo } from 'react';
import type { ChatMessage } from './chat-message.ts';
import type { TransportMode } from './use-transport-mode.ts';

const clientTools = ['get_location'];

/** A transport with what goes with it. `close` ends its connections; it may be used again afterwards. */
export type ChosenTransport = {
  transport: ChatTransport<ChatMessage>;
  sendAutomaticallyWhen: (question: { messages: ChatMessage[] }) => boolean;
  cancel: (chatId: string) => Promise<void>;
  close: () => void;
};

/** The transport of the chosen mode. Switching keeps the chat: `useChat` always sends by the newest one. */
export function useTransport(mode: TransportMode): ChosenTransport {
  const chosen = useMemo(() => (mode === 'bidi' ? chooseBidi() : chooseSse()), [mode]);
  useEffect(() => chosen.close, [chosen]);
  return chosen;
}

function chooseSse(): ChosenTransport {
  const transport = createSseTransport<ChatMessage>({ clientTools });
  return {
    transport,
    sendAutomaticallyWhen: createSsePredicate({ clientTools }),
    cancel: (chatId) => transport.cancel(chatId),
    close: () => undefined,
  };
}

function chooseBidi(): ChosenTransport {
  const transport = createBidiTransport<ChatMessage>({ clientTools });
  return {
    transport,
    sendAutomaticallyWhen: createBidiPredicate({ clientTools }),
    cancel: (chatId) => transport.cancel(chatId),
    close: () => transport.close(),
  };
}
