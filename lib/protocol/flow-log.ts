import type { EventHead } from './events.ts';
import type { ChatId } from './ids/ids.ts';
import type { JsonValue } from './json.ts';
import type { Person } from './principal.ts';

/**
 * The id of the flow's own log. It is stored like a chat's log, under an id that no client may use:
 * `parseChatId` refuses it. It appears in no list and is never erased.
 */
export const flowLogId = '~flow' as ChatId;

/** A pause: calls of one tool, or of all tools, must not start. `at` is in epoch milliseconds. @source ADR 0023 */
export type Pause = {
  /** Omitted: every tool. */
  readonly tool?: string;
  /** Shown to people and passed to the model. */
  readonly reason: string;
  readonly by: Person;
  readonly at: number;
};

/** The last seal of a chat's record at a point in time. */
export type NotedHead = { readonly chatId: ChatId; readonly head: string };

/** The content of an event of the flow's own log, by type. */
export type FlowLogBody =
  /** The heads of the chats that changed since the previous checkpoint. */
  | { type: 'checkpoint'; heads: readonly NotedHead[] }
  | {
      /** Written before the chat is erased. `by`: a person's id, or `retention`. */
      type: 'chat-erased';
      chatId: ChatId;
      by: string;
      /** Epoch milliseconds, the same as in the kept record. */
      erasedAt: number;
      /** The last seal of the chat's record. */
      head: string | null;
      /** The number of kept entries of executed calls. */
      kept: number;
      /** The `seq` of an earlier event of this type that had no effect, because the chat changed in the meantime. */
      instead?: number;
    }
  /** The kept record of an erased chat was deleted too. */
  | { type: 'record-purged'; chatId: ChatId; by: Person; reason: string }
  /** `recordRetentionMs` deleted the kept records of chats erased before this time. */
  | { type: 'records-expired'; before: number }
  | { type: 'paused'; tool?: string; reason: string; by: Person }
  | { type: 'unpaused'; tool?: string; by: Person }
  /** What a plugin has recorded. `name`: what happened. The kernel gives it no meaning. @source ADR 0056 */
  | { type: 'plugin-event'; plugin: string; name: string; data: JsonValue };

/** The state after an event of the flow's log. The last event contains the complete state. */
export type FlowLogState = {
  readonly pauses: readonly Pause[];
  /** When the last checkpoint was made, in epoch milliseconds; 0 before the first. */
  readonly checkpointAt: number;
  /** The `seq` of the last event of each plugin. Absent before the first. */
  readonly plugins?: Readonly<Record<string, number>>;
};

/** One entry of the flow's log. */
export type FlowLogEvent = EventHead & FlowLogBody & { readonly state: FlowLogState };
