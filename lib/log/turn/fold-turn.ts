import type { EventBody, EventOf, FlowEvent, RunId, ToolCallId } from '../../protocol/index.ts';
import { type CallEnd, isUnknown } from './call-end.ts';
import { type Call, emptyTurn, type Step, type Turn } from './turn.ts';
import { withPart } from './with-part.ts';

/** The step of a kept call that no step of this turn made. */
const noStep = -1;

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

/** A call as it will be after an event that belongs to the chat. The given one stays as it is. */
export function callWith(call: Call, event: FlowEvent): Call {
  switch (event.type) {
    case 'approval-previewed': {
      const { preview = previewOf(call)?.preview, at } = event;
      return { ...call, ...(preview && { previewed: { preview, at } }) };
    }
    case 'approval-voted':
      return { ...call, votes: [...(call.votes ?? []), event] };
    case 'approval-escalated':
      return { ...call, escalated: event };
    case 'approval-reminded':
      return { ...call, reminded: event };
    default:
      return call;
  }
}

/** Applies one event in place. `message-received` and `history-cut` begin a new turn and change nothing here. */
export function applyToTurn(turn: Turn, event: FlowEvent): void {
  switch (event.type) {
    case 'run-started':
      if (turn.messageId === undefined) {
        turn.release = event.release;
        turn.callOptions = event.callOptions;
        turn.by = event.by;
        turn.asker = event.asker;
        turn.metadata = event.metadata;
        turn.trace = event.trace;
        for (const kept of event.kept?.events ?? []) applyKept(turn, kept, event.kept?.toolCallIds ?? []);
      }
      if (event.options) turn.options = event.options;
      turn.messageId = event.messageId;
      turn.startedBy = event.by;
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
      // A step that was imported did not start here.
      if (turn.steps.at(-1)?.step !== event.step) turn.steps.push({ step: event.step, partial: [] });
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
    case 'run-cancelled':
      turn.isCancelled = true;
      turn.phase = 'ended';
      return;
    case 'run-completed':
    case 'run-failed':
      turn.phase = 'ended';
      return;
    default:
      applyToCall(turn, event);
  }
}

/** A call that replaces another one takes its place in the order, so that questions keep their order. */
function addCall(turn: Turn, requested: EventOf<'tool-requested'>): void {
  const { toolCallId, replaces, parent } = requested;
  const replaced = replaces && turn.calls.get(replaces);
  const maker = parent === undefined ? turn.steps : turn.calls.get(parent)?.agentSteps;
  const step = replaced?.step ?? maker?.at(-1)?.step ?? 0;
  turn.calls.set(toolCallId, { requested, step, position: replaced?.position ?? requested.seq });
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
      const step = turn.steps.at(-1)?.step ?? noStep;
      turn.calls.set(toolCallId, { requested: event, step, position: event.seq, kept });
      return;
    }
    case 'outcome-resolved': {
      // The end that was recorded with it includes the outcome that became known.
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
    case 'approval-previewed':
      call.previewed = callWith(call, event).previewed;
      return;
    case 'approval-voted':
      call.votes = [...(call.votes ?? []), event];
      return;
    case 'approval-escalated':
      call.escalated = event;
      return;
    case 'approval-reminded':
      call.reminded = event;
      return;
    case 'approval-granted':
      call.granted = event;
      return;
    case 'advance-approved':
      call.advance = event;
      return;
    case 'advance-revoked':
      if (call.advance?.grantId === event.grantId) call.advance = undefined;
      return;
    case 'agent-step': {
      const step = { step: event.step, finished: { ...event, type: 'step-finished' as const }, partial: [] };
      call.prompt ??= event.prompt;
      call.agentSteps = [...(call.agentSteps ?? []), step];
      return;
    }
    case 'tool-started':
      call.started = event;
      return;
    case 'tool-retrying':
      call.retried = event;
      return;
    case 'data-written':
      if (!event.transient) call.data = withPart(call.data ?? [], event);
      return;
    case 'tool-completed':
    case 'tool-failed':
    case 'tool-denied':
    case 'tool-cancelled':
      call.end = event;
      return;
    case 'outcome-resolved':
      resolve(call, event);
      return;
    default:
  }
}

/** The effect that a call would have, as it was last determined for its question, and when. */
export function previewOf({ asked, previewed }: Call): Call['previewed'] {
  return previewed ?? (asked?.preview && { preview: asked.preview, at: asked.at });
}

/** The report of the process that ran the call outranks all others, which only inferred the outcome. */
function resolve(call: Call, event: EventOf<'outcome-resolved'>): void {
  const { end, resolved } = call;
  if (!end || resolved?.source === 'late' || !(resolved || isUnknown(end))) return;
  call.resolved = event;
  call.end = resolvedEnd(call, end, event);
}

/** The end that a resolved call would have had, had it been known in time. */
function resolvedEnd({ requested }: Call, unknown: CallEnd, event: EventOf<'outcome-resolved'>): CallEnd {
  const { toolCallId, seq, at, outcome, modelOutput, storedText } = event;
  const { output = null, summary = '', resultCount = 0 } = event;
  const common = { toolCallId, seq, at, runId: unknown.runId, modelOutput };
  if (outcome === 'completed') {
    const result = { output, summary, resultCount, storedText };
    return { ...common, type: 'tool-completed', ...result };
  }
  const isNotRun = outcome === 'not-run';
  const error = event.error ?? (isNotRun ? 'The call did not run.' : 'The call failed.');
  const wasRetried = unknown.type === 'tool-failed' && unknown.wasRetried;
  // A call that did not run may be retried by a person. That of a subagent, only by its subagent.
  const retryable = isNotRun && requested.parent === undefined;
  return { ...common, type: 'tool-failed', outcome: 'failed', error, retryable, wasRetried };
}

function addText(step: Step | undefined, textId: string, delta: string): void {
  const block = step?.partial.at(-1);
  if (block?.textId === textId) block.text += delta;
  else step?.partial.push({ textId, text: delta });
}
