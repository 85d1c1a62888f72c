import type { ApprovalEventBody, PreviewEventBody } from './events/approval-events.ts';
import type { CallEventBody, OutcomeEventBody } from './events/call-events.ts';
import type { DataEventBody } from './events/data-events.ts';
import type { ImportEventBody } from './events/import-events.ts';
import type { PluginEventBody } from './events/plugin-events.ts';
import type { RecordedAnswerBody } from './events/recorded-answer-events.ts';
import type { StepEventBody } from './events/step-events.ts';
import type { TurnEventBody } from './events/turn-events.ts';
import type { RunId } from './ids/ids.ts';

/** The content of an event of a run, by type. The log contains nothing else. @source ADR 0001 */
export type EventBody =
  | TurnEventBody<readonly FlowEvent[]>
  | StepEventBody
  | ApprovalEventBody
  | RecordedAnswerBody
  | PluginEventBody
  | CallEventBody
  | DataEventBody
  | ImportEventBody;

/** Events of a chat that belong to no run. An event with a run's id never follows the end of that run. */
export type ChatEventBody = OutcomeEventBody | PluginEventBody | PreviewEventBody | RecordedAnswerBody;

/** `seq` counts from 1 within a chat, without gaps. `at` is in epoch milliseconds. */
export type EventHead = {
  readonly seq: number;
  readonly at: number;
  /** Chains the audit entry of this event to the previous one. Present when the flow has an audit key. */
  readonly seal?: string;
};

/** One entry of a chat's append-only log. */
export type FlowEvent = RunEvent | ChatEvent;

/** An event of a run. */
export type RunEvent = EventHead & EventBody & { readonly runId: RunId };

/** An event of the chat itself. */
export type ChatEvent = EventHead & ChatEventBody & { readonly runId?: undefined };

/** A `FlowEvent` of one type. */
export type EventOf<Type extends FlowEvent['type']> = Extract<FlowEvent, { type: Type }>;

/** Events that end a run. Each run has exactly one. */
export type RunEnd = EventOf<'run-suspended' | 'run-completed' | 'run-failed' | 'run-cancelled'>;

export function isRunEnd(event: FlowEvent): event is RunEnd {
  return (
    event.type === 'run-suspended' ||
    event.type === 'run-completed' ||
    event.type === 'run-failed' ||
    event.type === 'run-cancelled'
  );
}
