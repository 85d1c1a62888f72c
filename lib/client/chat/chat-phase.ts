import type { ChatStatus, UIMessage } from 'ai';
import { awaitsClient, lastAssistantParts } from '../../protocol/parts.ts';
import { openPartOf } from './message-parts.ts';
import { type FailureKind, isAboutAnswer } from './requests/request-failure.ts';

/** Phase of a chat. `waiting`: for a person. `running`: the server or a tool of this page is working. */
export type ChatPhase = 'idle' | 'running' | 'waiting' | 'failed';

/** What a chat's phase is read from. */
export type PhaseFacts = {
  readonly status: ChatStatus;
  readonly messages: UIMessage[];
  readonly failure: { readonly kind: FailureKind } | undefined;
  /** The page hands an answer to the SDK, or stops the run. */
  readonly isActing: boolean;
  /** Names of the tools that this page executes. */
  readonly clientTools: ReadonlySet<string>;
};

/** The phase of a chat. After an answer that was refused or not received the question is open, so the phase is `waiting`. */
export function phaseOf({ status, messages, failure, isActing, clientTools }: PhaseFacts): ChatPhase {
  if (isActing || status === 'submitted' || status === 'streaming') return 'running';
  const isOpen = openPartOf(messages) !== undefined;
  if (failure) return isOpen && isAboutAnswer(failure.kind) ? 'waiting' : 'failed';
  if (isOpen) return 'waiting';
  return lastAssistantParts({ messages }).some((part) => awaitsClient(part, clientTools))
    ? 'running'
    : 'idle';
}
