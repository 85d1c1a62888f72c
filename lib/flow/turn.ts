import type {
  ApprovalId,
  EventOf,
  FlowEvent,
  MessageId,
  Person,
  Principal,
  Release,
  RunId,
  RunOptions,
  ToolCallId,
} from '../vocabulary/index.ts';

/** How a call ended. */
export type CallEnd = EventOf<'tool-completed' | 'tool-failed' | 'tool-denied' | 'tool-cancelled'>;

/** One tool call of the open turn: the events that made it what it is. */
export type Call = {
  readonly requested: EventOf<'tool-requested'>;
  readonly step: number;
  asked?: EventOf<'approval-requested'>;
  answered?: EventOf<'approval-answered'>;
  withdrawn?: EventOf<'approval-withdrawn'>;
  /** A remembered approval, in the place of a question. */
  granted?: EventOf<'approval-granted'>;
  /** The end of the run that left this call to a person or a client. */
  suspended?: EventOf<'run-suspended'>;
  started?: EventOf<'tool-started'>;
  retried?: EventOf<'tool-retrying'>;
  end?: CallEnd;
};

/** One model step of the open turn. `partial` is what it said before it was cut off. */
export type Step = {
  readonly step: number;
  finished?: EventOf<'step-finished'>;
  partial: { textId: string; text: string }[];
};

/**
 * The open turn, folded from its events: all that the engine decides by.
 * A turn begins with a user message (or a cut) and may span many runs.
 */
export type Turn = {
  messageId?: MessageId;
  /** Who asked for the turn: sent its message, or wanted it answered anew. Its questions are asked in this name. */
  by?: Person;
  release: Release;
  options?: RunOptions;
  runId?: RunId;
  /** `active` between `run-started` and the run's end. */
  phase: 'new' | 'active' | 'suspended' | 'ended';
  /** The call that a suspended turn waits for: asked about, or handed to the client. */
  waitsFor?: Call;
  readonly steps: Step[];
  /** In call order. */
  readonly calls: Map<ToolCallId, Call>;
};

/** A turn of which nothing has happened yet. */
export function emptyTurn(): Turn {
  return { release: 'final', phase: 'new', steps: [], calls: new Map() };
}

/** Folds a turn from its events. Linear. */
export function foldTurn(events: Iterable<FlowEvent>): Turn {
  let turn = emptyTurn();
  for (const event of events) {
    if (event.type === 'message-received' || event.type === 'history-cut') turn = emptyTurn();
    else applyToTurn(turn, event);
  }
  return turn;
}

/** Applies one event in place. `message-received` and `history-cut` begin a new turn and are no business of this one. */
export function applyToTurn(turn: Turn, event: FlowEvent): void {
  switch (event.type) {
    case 'run-started':
      if (turn.messageId === undefined) {
        turn.release = event.release;
        turn.options = event.options;
        turn.by = event.by;
      }
      turn.messageId = event.messageId;
      turn.runId = event.runId;
      turn.phase = 'active';
      turn.waitsFor = undefined;
      return;
    case 'step-started':
      // A step that is started again after a take-over replaces its unfinished first try.
      if (turn.steps.at(-1)?.step === event.step) turn.steps.pop();
      turn.steps.push({ step: event.step, partial: [] });
      return;
    case 'text-delta':
      addText(turn.steps.at(-1), event.textId, event.delta);
      return;
    case 'step-finished': {
      const step = turn.steps.at(-1);
      if (step) {
        step.finished = event;
        step.partial = [];
      }
      return;
    }
    case 'tool-requested':
      turn.calls.set(event.toolCallId, { requested: event, step: turn.steps.at(-1)?.step ?? 0 });
      return;
    case 'run-suspended': {
      turn.phase = 'suspended';
      turn.waitsFor = turn.calls.get(event.toolCallId);
      if (turn.waitsFor) turn.waitsFor.suspended = event;
      return;
    }
    case 'run-completed':
    case 'run-failed':
    case 'run-cancelled':
      turn.phase = 'ended';
      return;
    default:
      applyToCall(turn, event);
  }
}

function applyToCall(turn: Turn, event: FlowEvent): void {
  const call = 'toolCallId' in event ? turn.calls.get(event.toolCallId) : undefined;
  if (!call) return;
  switch (event.type) {
    case 'approval-requested':
      call.asked = event;
      return;
    case 'approval-answered':
      call.answered = event;
      return;
    case 'approval-withdrawn':
      call.withdrawn = event;
      return;
    case 'approval-granted':
      call.granted = event;
      return;
    case 'tool-started':
      call.started = event;
      return;
    case 'tool-retrying':
      call.retried = event;
      return;
    case 'tool-completed':
    case 'tool-failed':
    case 'tool-denied':
    case 'tool-cancelled':
      call.end = event;
      return;
    default:
  }
}

function addText(step: Step | undefined, textId: string, delta: string): void {
  const block = step?.partial.at(-1);
  if (block?.textId === textId) block.text += delta;
  else step?.partial.push({ textId, text: delta });
}

/**
 * For whom a run goes on: who asked for the turn, whoever answered its questions. Only who makes the request is known
 * with a role; the log keeps none, since roles change.
 *
 * @source ADR 0015
 */
export function principalOf({ by }: Turn, acting: Principal): Principal {
  return by === undefined || by.id === acting.id ? acting : by;
}

/** The call that a question was about. */
export function callOfQuestion(turn: Turn, approvalId: ApprovalId): Call | undefined {
  return calls(turn).find((call) => call.asked?.approvalId === approvalId);
}

/** All calls, in order. */
export function calls(turn: Turn): Call[] {
  return [...turn.calls.values()];
}

/** Nothing stands between this call and its execution: no gate, or a yes, given now or remembered. */
export function isCleared({ requested, answered, granted }: Call): boolean {
  if (requested.invalid) return false;
  const { gate } = requested;
  if (gate.type === 'automatic') return gate.approved;
  return gate.type === 'none' || answered?.approved === true || granted !== undefined;
}
