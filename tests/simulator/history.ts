import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { UIMessageChunk } from 'ai';
import type { FlowEvent } from '../../lib/protocol/index.ts';
import type { DialectReading } from './dialects/reading.ts';
import type { World } from './machine/world.ts';
import type { Profile } from './schedule/profile.ts';
import type { Delivery } from './subscriptions/delivery.ts';

/** A durable event and its writer: an instance, or a forger. */
export type Written = {
  readonly moment: number;
  /** When the append was durable, in the world's milliseconds. Its sender learns of it later. */
  readonly at: number;
  readonly event: FlowEvent;
  readonly by: string;
  /** The version of the instance's tools. */
  readonly version: number;
};

/** One execution of a tool. */
export type Execution = {
  readonly moment: number;
  readonly at: number;
  readonly instance: string;
  readonly version: number;
  readonly tool: string;
  /** Its name in the log: with the path of subagents. */
  readonly toolName: string;
  readonly chatId: string;
  readonly toolCallId: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly principalId: string;
  readonly approvedBy?: string;
  readonly idempotencyKey: string;
  readonly fencingToken: number;
  /** When it had its effect, and how it ended. Absent until then. */
  effectAt?: number;
  ended?: {
    readonly moment: number;
    readonly how: 'returned' | 'threw';
    readonly output?: unknown;
    readonly error?: unknown;
  };
};

/** A data part that a tool wrote. */
export type WrittenPart = {
  readonly chatId: string;
  readonly toolCallId: string;
  readonly instance: string;
  readonly moment: number;
  /** Unique among all that were written. */
  readonly note: string;
  /** When the writer had said that the part is durable. Absent until then. */
  durableAt?: number;
};

/** The prompt of a model call. */
export type Prompted = {
  readonly moment: number;
  readonly instance: string;
  readonly chatId: string;
  /** Steps of the turn that are in the prompt. */
  readonly step: number;
  readonly prompt: LanguageModelV4Prompt;
};

/** One request of a client, and its response. */
export type Exchange = {
  readonly path: string;
  readonly moment: number;
  /** When it was sent, in epoch milliseconds. */
  readonly at: number;
  readonly who: string;
  readonly does: string;
  readonly instance: string;
  readonly chatId?: string;
  readonly body?: unknown;
  answeredAt?: number;
  status?: number;
  /** The body of a response that is not a stream. */
  json?: unknown;
};

/** One response that a client read, over either transport. */
export type Reading = {
  readonly moment: number;
  readonly who: string;
  readonly via: 'sse' | 'bidi';
  readonly asks: 'send' | 'resume';
  readonly does: string;
  readonly instance: string;
  readonly chatId: string;
  readonly chunks: UIMessageChunk[];
  /** `done`: complete; `broken`: the connection broke; `left`: the client disconnected. */
  end?: 'done' | 'broken' | 'left';
  endedAt?: number;
};

/** An import, and what it returned: absent until then. */
export type Imported = {
  readonly moment: number;
  readonly instance: string;
  readonly chatId: string;
  status?: 'imported' | 'unchanged' | 'refused';
};

/** A question as received from a feed or a list. */
export type SeenQuestion = {
  readonly moment: number;
  readonly who: string;
  readonly question: Readonly<Record<string, unknown>>;
};

/** A feed of questions, and the last state of each. */
export type Feed = {
  moment: number;
  readonly who: string;
  readonly instance: string;
  readonly states: Map<string, string>;
  isOpen: boolean;
};

/** The final state of a chat, as one instance shows it to its owner. */
export type FinalView = {
  readonly chatId: string;
  readonly instance: string;
  readonly chat: Readonly<Record<string, unknown>> | undefined;
  readonly replay: readonly UIMessageChunk[] | undefined;
  readonly timeline: unknown;
  /** As it was read, and as it had been written by then. */
  readonly log: readonly FlowEvent[];
  readonly written: readonly FlowEvent[];
};

/** Everything observed from outside, in order. Nothing here comes from the engine's own checks. */
export function createHistory(world: World, profile: Profile) {
  let moments = 0;
  const logs = new Map<string, Written[]>();
  const erased: { readonly chatId: string; readonly moment: number }[] = [];
  const erasedLogs = new Map<string, Written[]>();
  return {
    /** The next moment. Counts all observations. */
    moment: () => ++moments,
    logs,
    /** Everything ever written under a chat's id, including an erased chat. */
    logOf: (chatId: string): Written[] => [...(erasedLogs.get(chatId) ?? []), ...(logs.get(chatId) ?? [])],
    erasedLogs,
    owners: new Map<string, string>(),
    /** The plugins of each instance, by its name. */
    lists: new Map<string, ReadonlySet<string>>(),
    executions: [] as Execution[],
    dataParts: [] as WrittenPart[],
    prompts: [] as Prompted[],
    /** The prompts of subagents. */
    agentPrompts: [] as Prompted[],
    imports: [] as Imported[],
    exchanges: [] as Exchange[],
    readings: [] as Reading[],
    dialectReadings: [] as DialectReading[],
    /** When the readers of dialects had read everything, in the world's milliseconds. */
    dialectsReadAt: undefined as number | undefined,
    /** Set by who is to learn of each event when it is durable. */
    onWritten: (_chatId: string, _written: Written): void => {},
    questions: [] as SeenQuestion[],
    feeds: [] as Feed[],
    finals: [] as FinalView[],
    /** Instances that died before they could report, by name. */
    killed: new Map<string, number>(),
    closed: new Map<string, number>(),
    paused: [] as {
      readonly tool?: string;
      readonly instance: string;
      readonly from: number;
      to?: number;
      /** The same in virtual milliseconds. */
      readonly fromMs: number;
      toMs?: number;
    }[],
    forged: [] as {
      readonly chatId: string;
      readonly toolCallId: string;
      readonly approvalId: string;
      readonly moment: number;
    }[],
    signedOut: [] as { readonly who: string; readonly moment: number; back?: number }[],
    /** Chats with a run that was still active at the end, and those that no stop ended. */
    active: [] as string[],
    stuck: [] as string[],
    /** When each subscription was created, by its id, and the newest place of the feed then. */
    subscriptions: new Map<string, { readonly moment: number; readonly place: number }>(),
    deliveries: [] as Delivery[],
    /** Commits of subscriptions that failed. */
    commitFaults: [] as { readonly instance: string; readonly moment: number }[],
    /** Dead deliveries that an operator sent again. */
    revived: [] as { readonly subscriber: string; readonly eventId: string; readonly moment: number }[],
    /** What was left of the deliveries at the end, and since when nothing had been written by then. */
    undelivered: undefined as
      | {
          readonly since: number;
          readonly waiting: readonly string[];
          readonly dead: readonly { readonly subscriber: string; readonly eventId: string }[];
        }
      | undefined,
    /** Times in which an instance may have lost its leases, in virtual milliseconds: it was frozen, or cut off. */
    away: [] as { readonly instance: string; readonly fromMs: number; toMs?: number }[],
    /** When an instance came back after a freeze or a lost connection to the store, in virtual milliseconds. */
    back: [] as { readonly instance: string; readonly atMs: number }[],
    /** Each `lookup` of a tool. */
    lookups: [] as { readonly moment: number; readonly idempotencyKey: string }[],
    /** A chat that was deleted directly from the database at the end, and what was found afterwards. */
    vanished: undefined as
      | { readonly chatId: string; readonly found: readonly { readonly chatId?: string }[] }
      | undefined,
    /** The parameters of the schedule, and the settings of the flow. */
    profile,
    /** The open questions that each owner sees at the end. */
    listed: [] as { readonly who: string; readonly instance: string; readonly open: readonly string[] }[],
    erased,
    /** What `verifyAuditStore` found at the end. Absent without an audit key. */
    record: undefined as readonly { readonly chatId?: string; readonly message: string }[] | undefined,
    /** Whether the chat that had this id at a moment was erased. The id may be reused. */
    isGone: (chatId: string, moment: number): boolean =>
      !logs.has(chatId) || erased.some((each) => each.chatId === chatId && each.moment > moment),
    /** Whether a call ran for a chat that was erased before. Another chat may have the id by then. */
    ranAfterErasure: ({ chatId, toolCallId, moment }: Execution): boolean => {
      const began = (log: readonly Written[] = []) =>
        log.some(
          ({ event, moment: at }) =>
            event.type === 'tool-started' && event.toolCallId === toolCallId && at < moment,
        );
      return began(erasedLogs.get(chatId)) && !began(logs.get(chatId));
    },
    note: world.note,
    now: world.now,
  };
}

/** @see createHistory */
export type History = ReturnType<typeof createHistory>;
