import type { EventOf, FlowEvent, JsonValue, ToolCallId } from '../../protocol/index.ts';
import type { CallFacts, ShownInput } from '../seal/audit-entry.ts';
import type { ChatHead } from '../store/index.ts';
import type { Call, Turn } from '../turn/turn.ts';
import type { Hidden } from './hidden.ts';

/**
 * All that the log knows about one type of event. The four parts that decide what is safe are required, so a type without
 * one of them does not compile. Each of them is a function of the event as it was written.
 *
 * @source ADR 0056
 */
export type EventRow<Event extends FlowEvent = FlowEvent> = {
  /** The event as people may read it. */
  redact(event: Event, reading: Redaction): FlowEvent;
  fold(turn: Turn, event: Event, table: EventTable): void;
  /** The unique key that the event claims. At most one event of a chat may claim a key, even with concurrent writers. */
  claim(event: Event): string | undefined;
  /** What the audit record says of it; `undefined` if nothing. `call` is the call that it is about. */
  facts(event: Event, call: Call, form: FactForm): CallFacts | undefined;

  /** How it changes the chat's head, apart from its place and its time. */
  head?(event: Event, head: ChatHead): Partial<ChatHead>;
  /** It begins a turn, which is empty before it. */
  readonly beginsTurn?: true;
  /** The store refuses it for a run that was asked to stop. */
  readonly isGuarded?: true;
  /** It changes what a question shows, so its row is written again. */
  readonly changesQuestion?: true;
  /** It is for readers of the chat: the model does not see it, or sees its own version at the end of the step. */
  readonly isForReaders?: true;
  /** Whether subscriptions report it by itself. It cannot be derived from a question as it is now. */
  isNotice?(event: Event): boolean;
};

/** One row for each of these events. */
export type EventRows<Body extends { readonly type: FlowEvent['type'] }> = {
  readonly [Type in Body['type']]: EventRow<EventOf<Type>>;
};

/** Rows by type. A type without a row is unknown to this version. */
export type EventTable = ReadonlyMap<string, EventRow>;

/** What is known while a log is redacted, event by event. */
export type Redaction = {
  /** By call; `undefined` for a call without secrets. No entry for a call that was not read. */
  readonly hidden: Map<ToolCallId, Hidden | undefined>;
  readonly redact: (event: FlowEvent) => FlowEvent;
};

export type FactForm = {
  /** Keyed. Of outputs, and of inputs that are not shown whole. */
  readonly digest: (value: unknown) => string;
  /** Arguments as people were shown them. */
  readonly shown: (input: JsonValue, runsAs?: JsonValue) => ShownInput;
};

/** The part of a row for events without an effect of this kind. */
export const none = (): undefined => undefined;

/** Redaction of an event in which everything may be read. */
export const asWritten = <Event extends FlowEvent>(event: Event): Event => event;

/** Parts of an event that may happen any number of times and is not in the audit record. */
export const unrecorded = { claim: none, facts: none };

export function ofCall<Event extends { readonly toolCallId: ToolCallId }>(
  fold: (call: Call, event: Event) => void,
) {
  return (turn: Turn, event: Event): void => {
    const call = turn.calls.get(event.toolCallId);
    if (call) fold(call, event);
  };
}
