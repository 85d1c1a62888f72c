import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { UIMessageChunk } from 'ai';
import type { FlowEvent } from '../../lib/flow/index.ts';
import type { World } from './machine/world.ts';
import type { Profile } from './schedule/profile.ts';

/** An event as it became durable, and who wrote it: an instance, or whoever forged it. */
export type Written = {
  readonly moment: number;
  readonly event: FlowEvent;
  readonly by: string;
  /** The version of the tools in that instance. */
  readonly version: number;
};

/** One time that a tool's `execute` was called. */
export type Execution = {
  readonly moment: number;
  readonly at: number;
  readonly instance: string;
  readonly version: number;
  readonly tool: string;
  readonly chatId: string;
  readonly toolCallId: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly principalId: string;
  readonly approvedBy?: string;
  readonly idempotencyKey: string;
  readonly fencingToken: number;
  /** When it had its effect, and how it ended; missing as long as it has not. */
  effectAt?: number;
  ended?: {
    readonly moment: number;
    readonly how: 'returned' | 'threw';
    readonly output?: unknown;
    readonly error?: unknown;
  };
};

/** What a model was given. */
export type Prompted = {
  readonly moment: number;
  readonly instance: string;
  readonly chatId: string;
  readonly prompt: LanguageModelV4Prompt;
};

/** One request of a client, and what it was answered. */
export type Exchange = {
  readonly path: string;
  readonly moment: number;
  readonly who: string;
  readonly does: string;
  readonly instance: string;
  readonly chatId?: string;
  readonly body?: unknown;
  answeredAt?: number;
  status?: number;
  /** The body of an answer that is no stream. */
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
  /** `done`: it came to its end; `broken`: the line broke; `left`: the client went away. */
  end?: 'done' | 'broken' | 'left';
  endedAt?: number;
};

/** A question as it came out of a feed or a list. */
export type SeenQuestion = {
  readonly moment: number;
  readonly who: string;
  readonly question: Readonly<Record<string, unknown>>;
};

/** A feed of questions, and the last state in which each of them came over it. */
export type Feed = {
  moment: number;
  readonly who: string;
  readonly instance: string;
  readonly states: Map<string, string>;
  isOpen: boolean;
};

/** A chat as it stands after everything has come to rest, as one instance shows it to its owner. */
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

/** What was seen from outside, in order. Nothing in here comes from the engine's own checks. */
export function createHistory(world: World, profile: Profile) {
  let moments = 0;
  const logs = new Map<string, Written[]>();
  const erased: { readonly chatId: string; readonly moment: number }[] = [];
  const erasedLogs = new Map<string, Written[]>();
  return {
    /** The next moment: counts everything that is observed. */
    moment: () => ++moments,
    logs,
    /** All that was ever written under a chat's id, also of one that was erased. */
    logOf: (chatId: string): Written[] => [...(erasedLogs.get(chatId) ?? []), ...(logs.get(chatId) ?? [])],
    erasedLogs,
    owners: new Map<string, string>(),
    executions: [] as Execution[],
    prompts: [] as Prompted[],
    exchanges: [] as Exchange[],
    readings: [] as Reading[],
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
    /** Chats with a run that was still active when everything had come to rest, and those that no stop ended. */
    active: [] as string[],
    stuck: [] as string[],
    /** When an instance came back that had been frozen, or away from the store. In virtual milliseconds. */
    back: [] as { readonly instance: string; readonly atMs: number }[],
    /** Each time that a tool was asked what became of a call of its own. */
    lookups: [] as { readonly moment: number; readonly idempotencyKey: string }[],
    /** A chat that somebody deleted from the database in the end, and what was found then. */
    vanished: undefined as
      | { readonly chatId: string; readonly found: readonly { readonly chatId?: string }[] }
      | undefined,
    /** What the schedule is made of, with the settings of the flow. */
    profile,
    /** The open questions that each owner is shown in the end. */
    listed: [] as { readonly who: string; readonly instance: string; readonly open: readonly string[] }[],
    erased,
    /** What `verifyAuditStore` found in the end; missing without an audit key. */
    record: undefined as readonly { readonly chatId?: string; readonly message: string }[] | undefined,
    /** Whether the chat that had this id at a moment is gone; the id may be taken again. */
    isGone: (chatId: string, moment: number): boolean =>
      !logs.has(chatId) || erased.some((each) => each.chatId === chatId && each.moment > moment),
    note: world.note,
  };
}

/** @see createHistory */
export type History = ReturnType<typeof createHistory>;
