import type { EventHead } from './events.ts';
import type { ChatId } from './ids.ts';
import type { Person } from './principal.ts';

/**
 * The log of the flow itself, kept like a chat's under an id that no client may use: `parseChatId` refuses it. It is
 * in no list, and is never erased.
 */
export const flowLogId = '~flow' as ChatId;

/** Calls that must not start for now: those of one tool, or all. `at`: epoch milliseconds. @source ADR 0023 */
export type Pause = {
  /** Missing: every tool. */
  readonly tool?: string;
  /** Shown to people, and told to the model. */
  readonly reason: string;
  readonly by: Person;
  readonly at: number;
};

/** The last seal of a chat's record at some time. */
export type NotedHead = { readonly chatId: ChatId; readonly head: string };

/** One event's content, by type: of the flow itself. */
export type FlowLogBody =
  /** The heads of chats that changed since the checkpoint before. */
  | { type: 'checkpoint'; heads: readonly NotedHead[] }
  | {
      /** Written before the chat goes. `by`: a person's id, or `retention`. */
      type: 'chat-erased';
      chatId: ChatId;
      by: string;
      /** Epoch milliseconds, as the kept record has it. */
      erasedAt: number;
      /** The last seal of its record. */
      head: string | null;
      /** How many entries of executed calls are kept. */
      kept: number;
      /** The `seq` of an earlier event like this one that came to nothing: the chat had gone on meanwhile. */
      instead?: number;
    }
  /** The kept record of an erased chat was deleted as well. */
  | { type: 'record-purged'; chatId: ChatId; by: Person; reason: string }
  /** Kept records of chats that were erased before a time went by `recordRetentionMs`. */
  | { type: 'records-expired'; before: number }
  | { type: 'paused'; tool?: string; reason: string; by: Person }
  | { type: 'unpaused'; tool?: string; by: Person };

/** What holds after an event of the flow's log, so that the last one says it all. */
export type FlowLogState = {
  readonly pauses: readonly Pause[];
  /** When the last checkpoint was made, in epoch milliseconds; 0 before the first. */
  readonly checkpointAt: number;
};

/** One entry of the flow's log. */
export type FlowLogEvent = EventHead & FlowLogBody & { readonly state: FlowLogState };
