import { type FlowEvent, isRunEnd } from '../../../../lib/protocol/index.ts';
import type { Written } from '../../history.ts';

/** How a call ended. `stopped`: a person ended it, or its question was withdrawn. */
export type CallState = 'done' | 'failed' | 'stopped';

/** What the log says about one turn. Every dialect is compared with these facts. */
export type TurnFacts = {
  readonly events: readonly FlowEvent[];
  /** The text of the turn: for each step, that of its last attempt. */
  readonly text: string;
  /** The states of the calls that have ended. A call has two states if its outcome became known later. */
  readonly ends: ReadonlyMap<string, ReadonlySet<CallState>>;
  /** Calls whose outcome became known after their end. */
  readonly resolvedLater: ReadonlySet<string>;
  /** All calls of the turn, with their tools. */
  readonly called: ReadonlyMap<string, Extract<FlowEvent, { type: 'tool-requested' }>>;
  readonly isOver: boolean;
};

/** The facts of the turn that makes a message. `undefined` if the log has no such turn, or an import began it. */
export function turnFacts(log: readonly Written[], messageId: string): TurnFacts | undefined {
  const events = log.map(({ event }) => event);
  const run = events.findIndex((event) => event.type === 'run-started' && event.messageId === messageId);
  const start = events.findLastIndex((event, index) => index < run && beginsTurn(event));
  if (run === -1 || start === -1) return undefined;
  const next = events.findIndex((event, index) => index > run && beginsTurn(event));
  const turn = events.slice(start, next === -1 ? undefined : next);
  const called = new Map(
    turn.flatMap((event) => (event.type === 'tool-requested' ? [[event.toolCallId, event] as const] : [])),
  );
  const last = turn.findLast((event) => isRunEnd(event) || event.type === 'run-started');
  const isOver = last !== undefined && isRunEnd(last) && last.type !== 'run-suspended';
  const text = textOf(turn);
  // The outcome of a call may become known in a later turn.
  const later = next === -1 ? [] : events.slice(next);
  const resolved = [...turn, ...later].filter((event) => event.type === 'outcome-resolved');
  const ends = endsOf([...turn, ...resolved]);
  const resolvedLater = new Set<string>(resolved.map(({ toolCallId }) => toolCallId));
  return { events: turn, text, ends, called, isOver, resolvedLater };
}

function beginsTurn({ type }: FlowEvent): boolean {
  return type === 'message-received' || type === 'history-cut' || type === 'message-imported';
}

function textOf(events: readonly FlowEvent[]): string {
  const steps = new Map<number, string>();
  let step = -1;
  for (const event of events) {
    if (event.type === 'step-started') {
      step = event.step;
      steps.set(step, '');
    }
    if (event.type === 'text-delta') steps.set(step, (steps.get(step) ?? '') + event.delta);
  }
  return [...steps.values()].join('');
}

function endsOf(events: readonly FlowEvent[]): Map<string, Set<CallState>> {
  const ends = new Map<string, Set<CallState>>();
  for (const event of events) {
    const state = stateOf(event);
    if (!state || !('toolCallId' in event)) continue;
    ends.set(event.toolCallId, (ends.get(event.toolCallId) ?? new Set()).add(state));
  }
  return ends;
}

function stateOf(event: FlowEvent): CallState | undefined {
  switch (event.type) {
    case 'tool-completed':
      return 'done';
    case 'tool-failed':
      return event.stopped ? 'stopped' : 'failed';
    case 'tool-denied':
      return event.withdrawn && event.withdrawn !== 'expired' ? 'stopped' : 'failed';
    case 'tool-cancelled':
      return 'stopped';
    case 'outcome-resolved':
      return event.outcome === 'completed' ? 'done' : 'failed';
    default:
      return undefined;
  }
}
