'use client';

import { createSendAutomaticallyWhen as createBidiPredicate, createBidiTransport } from 'countersign/bidi';
import type { ApprovalTransport } from 'countersign/react';
import { createSendAutomaticallyWhen as createSsePredicate, createSseTransport } from 'countersign/sse';
import { useEffect, useMemo } from 'react';
import type { ChatMessage } from '../_messages/chat-message.ts';
import type { TransportMode } from './use-transport-mode.ts';

/** The tools that this browser executes. */
export const clientTools = ['get_location'];

/** A transport with the predicate that goes with it. */
export type ChosenTransport = {
  readonly transport: ApprovalTransport<ChatMessage>;
  readonly sendAutomaticallyWhen: (question: { messages: ChatMessage[] }) => boolean;
};

/** The transport of the chosen mode. Switching keeps the chat: `useChat` always sends by the newest one. */
export function useTransport(mode: TransportMode): ChosenTransport {
  const chosen = useMemo(() => (mode === 'bidi' ? chooseBidi() : chooseSse()), [mode]);
  // A socket that is closed may be opened again: React mounts twice in development.
  useEffect(() => () => chosen.transport.close?.(), [chosen]);
  return chosen;
}

function chooseSse(): ChosenTransport {
  return {
    transport: createSseTransport<ChatMessage>({ clientTools }),
    sendAutomaticallyWhen: createSsePredicate({ clientTools }),
  };
}

function chooseBidi(): ChosenTransport {
  return {
    transport: createBidiTransport<ChatMessage>({ clientTools }),
    sendAutomaticallyWhen: createBidiPredicate({ clientTools }),
  };
}
