import type { ChatStatus } from 'ai';
import type { ChatMessage } from './chat-message.ts';
import { openPartOf } from './chat-message.ts';
import { waitingCallOf } from './use-location-tool.ts';

/** Where a chat stands. `waiting`: for the person. `running`: for the server, or for this browser's tool. */
export type ChatPhase = 'idle' | 'running' | 'waiting' | 'failed';

/** The phase of a chat, from what `useChat` says and what its last message holds. */
export function phaseOf(
  status: ChatStatus,
  messages: readonly ChatMessage[],
  hasFailed: boolean,
  isStopping: boolean,
): ChatPhase {
  if (isStopping || status === 'submitted' || status === 'streaming') return 'running';
  if (hasFailed) return 'failed';
  if (openPartOf(messages) !== undefined) return 'waiting';
  return waitingCallOf(messages) === undefined ? 'idle' : 'running';
}
