import type {
  ApprovalId,
  EventBody,
  EventOf,
  FlowEvent,
  MessageId,
  Person,
  Principal,
  RecordedPrincipal,
  Release,
  RunId,
  RunOptions,
  ToolCallId,
} from '../../protocol/index.ts';
import { type CallEnd, isUnknown, withStatus } from './status-fields.ts';

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
  /** The call that replaces this one. The model sees the replacement's result for this call. */
  replacedBy?: ToolCallId;
  /** The digest that an older question, asked without one, was given later. */
  bound?: EventOf<'approval-bound'>;
  /** What an outcome that was recorded as unknown turned out to be. */
  resolved?: EventOf<'outcome-resolved'>;
  /**
   * Of an earlier turn that was cut away. `shown`: it ran, so this turn's message shows it. `context`: only the model
   * still sees it.
   */
  readonly kept?: 'shown' | 'context';
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
  /** Everything that was known of the asker then. Missing in turns of the older version. */
  asker?: RecordedPrincipal;
  release: Release;
  options?: RunOptions;
  runId?: RunId;
  /** `active` between `run-started` and the run's end. */
  phase: 'new' | 'active' | 'suspended' | 'ended';
  /** The call that a suspended turn waits for: asked about, or handed to the client. */
  waitsFor?: Call;
  readonly steps: Step[];
  /** How many of the steps were kept at a cut. What this turn does comes after them. */
  keptSteps: number;
  /** In call order. */
  readonly calls: Map<ToolCallId, Call>;
};

/** The step of a kept call that no step of this turn made. */
const noStep = -1;

/** A turn of which nothing has happened yet. */
export function emptyTurn(): Turn {
  return { release: 'final', phase: 'new', steps: [], keptSteps: 0, calls: new Map() };
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

/** A turn that can be changed without changing this one. Its events are shared. */
export function copyTurn(turn: Turn): Turn {
  return {
    ...turn,
    steps: turn.steps.map((step) => ({ ...step, partial: step.partial.map((block) => ({ ...block })) })),
    calls: new Map([...turn.calls].map(([id, call]) => [id, { ...call }])),
  };
}

/** The turn as it will be after these events. The given one stays as it is. */
export function turnWith(turn: Turn, events: readonly EventBody[]): Turn {
  const draft = copyTurn(turn);
  for (const event of events) applyToTurn(draft, { ...event, seq: 0, at: 0, runId: '' as RunId });
  return draft;
}

/** Applies one event in place. `message-received` and `history-cut` begin a new turn and are no business of this one. */
export function applyToTurn(turn: Turn, event: FlowEvent): void {
  switch (event.type) {
    case 'run-started':
      if (turn.messageId === undefined) {
        turn.release = event.release;
        turn.options = event.options;
        turn.by = event.by;
        turn.asker = event.asker;
        for (const kept of event.kept?.events ?? []) applyKept(turn, kept, event.kept?.toolCallIds ?? []);
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
      addCall(turn, event);
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

/** A call that replaces another one takes its place, so that it is asked about in its turn. */
function addCall(turn: Turn, requested: EventOf<'tool-requested'>): void {
  const { toolCallId, replaces } = requested;
  const replaced = replaces && turn.calls.get(replaces);
  turn.calls.set(toolCallId, { requested, step: replaced?.step ?? turn.steps.at(-1)?.step ?? 0 });
  if (!replaced) return;
  replaced.replacedBy = toolCallId;
  const [last] = [...turn.calls].slice(-1);
  const later = [...turn.calls].slice([...turn.calls.keys()].indexOf(replaces) + 1, -1);
  for (const [id, call] of last ? [last, ...later] : []) {
    turn.calls.delete(id);
    turn.calls.set(id, call);
  }
}

function applyKept(turn: Turn, event: FlowEvent, shown: readonly ToolCallId[]): void {
  switch (event.type) {
    case 'step-finished':
      turn.steps.push({ step: event.step, finished: event, partial: [] });
      turn.keptSteps += 1;
      return;
    case 'tool-requested': {
      const { toolCallId } = event;
      const kept = shown.includes(toolCallId) ? 'shown' : 'context';
      turn.calls.set(toolCallId, { requested: event, step: turn.steps.at(-1)?.step ?? noStep, kept });
      return;
    }
    case 'outcome-resolved': {
      // Its end was recorded with it, as it is known since.
      const call = turn.calls.get(event.toolCallId);
      if (call) call.resolved = event;
      return;
    }
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
    case 'approval-bound':
      call.bound ??= event;
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
      call.end = withStatus(event, call.withdrawn);
      return;
    case 'outcome-resolved':
      resolve(call, event);
      return;
    default:
  }
}

/** The report of the process that ran the call outranks all others, which only inferred the outcome. */
function resolve(call: Call, event: EventOf<'outcome-resolved'>): void {
  const { end, resolved } = call;
  if (!end || resolved?.source === 'late' || !(resolved || isUnknown(end))) return;
  call.resolved = event;
  call.end = resolvedEnd(end, event);
}

/** The end that a resolved call would have had, had it been known in time. */
function resolvedEnd(unknown: CallEnd, event: EventOf<'outcome-resolved'>): CallEnd {
  const { toolCallId, seq, at, outcome, modelOutput, output = null, summary = '', resultCount = 0 } = event;
  const common = { toolCallId, seq, at, runId: unknown.runId, modelOutput };
  if (outcome === 'completed') return { ...common, type: 'tool-completed', output, summary, resultCount };
  const isNotRun = outcome === 'not-run';
  const error = event.error ?? (isNotRun ? 'The call did not run.' : 'The call failed.');
  const wasRetried = unknown.type === 'tool-failed' && unknown.wasRetried;
  // What did not run may be made again, by a person.
  return { ...common, type: 'tool-failed', outcome: 'failed', error, retryable: isNotRun, wasRetried };
}

function addText(step: Step | undefined, textId: string, delta: string): void {
  const block = step?.partial.at(-1);
  if (block?.textId === textId) block.text += delta;
  else step?.partial.push({ textId, text: delta });
}

/**
 * The principal that tools are given: the person who asked for the turn, as recorded then, no matter who answered its questions or took
 * the run over. A turn of the older version has no record; its asker is known by name, or by the request at hand.
 *
 * @source ADR 0015
 */
export function principalOf(turn: Pick<Turn, 'by' | 'asker'>, acting: Principal): Principal {
  return turn.asker ?? currentAsker(turn, acting);
}

/**
 * The asker as far as it is known now, for rules about answering: whole when it makes the request at hand, and
 * otherwise a name without a role. What was recorded is of another day, and roles change.
 *
 * @source ADR 0015
 */
export function currentAsker({ by }: Pick<Turn, 'by'>, acting: Principal): Principal {
  return by === undefined || by.id === acting.id ? acting : by;
}

/** The call that a question of this turn's message was about. Those of kept calls belong to an earlier message. */
export function callOfQuestion(turn: Turn, approvalId: ApprovalId): Call | undefined {
  return calls(turn).find((call) => !call.kept && call.asked?.approvalId === approvalId);
}

/** The call that stands for this one now: itself, or the last of those that replaced it. */
export function standingCall(turn: Turn, call: Call): Call {
  const next = call.replacedBy && turn.calls.get(call.replacedBy);
  return next ? standingCall(turn, next) : call;
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
