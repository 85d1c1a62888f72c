import { createSendAutomaticallyWhen as createBidiPredicate, createBidiTransport } from 'countersign/bidi';
import { ApprovalChat } from 'countersign/client';
import type { LiveChatParts } from 'countersign/react';
import { createSendAutomaticallyWhen as createSsePredicate, createSseTransport } from 'countersign/sse';
import { clientTools } from '../_location/use-location-tool.ts';
import type { ChatMessage } from '../_messages/chat-message.ts';
import type { TransportMode } from './use-transport-mode.ts';

/** The chat of the SDK with a new transport of the chosen mode, and the predicate that goes with it. */
export function liveParts(mode: TransportMode): LiveChatParts<ChatMessage> {
  return { ApprovalChat, ...(mode === 'bidi' ? bidi() : sse()) };
}

function sse() {
  return {
    transport: createSseTransport<ChatMessage>({ clientTools }),
    sendAutomaticallyWhen: createSsePredicate({ clientTools }),
  };
}

function bidi() {
  return {
    transport: createBidiTransport<ChatMessage>({ clientTools }),
    sendAutomaticallyWhen: createBidiPredicate({ clientTools }),
  };
}
