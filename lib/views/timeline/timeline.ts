import type { CallEnd } from '../../log/status-fields.ts';
import type { ChatId, EventOf, FlowEvent, RunEvent, ToolCallId } from '../../protocol/index.ts';
import type { Timeline, TimelineSpan, TimelineTurn } from './timeline-span.ts';
import { summarize } from './timeline-summary.ts';

type Draft = { -readonly [Field in keyof TimelineSpan]: TimelineSpan[Field] };

/** A call as far as the log tells of it. */
type Call = {
  readonly requested: EventOf<'tool-requested'>;
  waiting?: Draft;
  running?: Draft;
  retry?: Draft;
  ended?: Draft;
};

/**
 * Reads a chat's time off its log: what the model, people and tools took, turn by turn. Pure and linear.
 * Cut history stays in it: what happened has happened.
 *
 * @param events from the first on, as `flow.timeline` gives them: spans hold what those events show, no more
 */
export function timelineOf(chatId: ChatId, events: readonly FlowEvent[]): Timeline {
  const spans: Draft[] = [];
  const turns: TimelineTurn[] = [];
  const calls = new Map<ToolCallId, Call>();
  let status: Timeline['status'] = 'idle';
  let model: Draft | undefined;
  let begun: EventOf<'message-received'> | undefined;
  let isNewTurn = false;

  const open = (event: RunEvent, span: Pick<Draft, 'kind' | 'label' | 'state'> & Partial<Draft>): Draft => {
    const { seq, at, runId } = event;
    const draft: Draft = { id: `${span.kind}-${seq}`, runId, turn: turns.length, startedAt: at, ...span };
    spans.push(draft);
    return draft;
  };
  const endModel = (event: FlowEvent, end: Partial<Draft>) => {
    if (model) close(model, event.at, end);
    model = undefined;
  };

  for (const event of events) {
    const call = 'toolCallId' in event ? calls.get(event.toolCallId) : undefined;
    switch (event.type) {
      case 'message-received':
      case 'history-cut':
        if (event.type === 'message-received') begun = event;
        isNewTurn = true;
        break;
      case 'run-started':
        if (isNewTurn) turns.push(turnOf(turns.length + 1, event, begun));
        isNewTurn = false;
        status = 'active';
        break;
      case 'step-started':
        // A step that is begun again: its first owner was gone.
        endModel(event, { state: 'cancelled' });
        model = open(event, { kind: 'model', label: `Step ${event.step + 1}`, state: 'running' });
        break;
      case 'step-finished':
        endModel(event, { state: 'completed', usage: event.usage });
        break;
      case 'tool-requested':
        calls.set(event.toolCallId, { requested: event });
        break;
      case 'approval-requested':
        if (!call) break;
        call.waiting = open(event, {
          ...aboutCall(call),
          kind: 'waiting',
          label: event.description,
          state: 'open',
        });
        break;
      case 'approval-answered': {
        if (!call?.waiting) break;
        const { approved, reason, input, by, via, at } = event;
        const answer = { approved, ...(reason !== undefined && { reason }), by, at, via };
        close(call.waiting, at, {
          state: approved ? 'approved' : 'denied',
          answer: input === undefined ? answer : { ...answer, input },
        });
        break;
      }
      case 'approval-withdrawn':
        if (call?.waiting) close(call.waiting, event.at, { state: event.reason });
        break;
      case 'tool-started':
        if (call) call.running = open(event, { ...toolSpan(call), input: event.input });
        break;
      case 'tool-retrying':
        if (!call) break;
        call.retry = open(event, { ...toolSpan(call), kind: 'retry', error: event.error });
        close(call.retry, event.at + event.delayMs, { state: 'completed' });
        break;
      case 'tool-completed':
      case 'tool-failed':
      case 'tool-denied':
      case 'tool-cancelled':
        if (call) endCall(call, event, open);
        break;
      case 'outcome-resolved':
        if (call?.ended) resolveSpan(call.ended, event);
        break;
      case 'run-suspended':
      case 'run-completed':
        endModel(event, { state: 'completed' });
        status = event.type === 'run-suspended' ? 'waiting' : 'idle';
        break;
      case 'run-failed':
        endModel(event, { state: 'failed', error: event.error });
        status = 'failed';
        break;
      case 'run-cancelled':
        endModel(event, { state: 'cancelled' });
        status = 'idle';
        break;
      case 'text-delta':
      case 'reasoning-delta':
      case 'source-added':
      case 'tool-progressed':
        break;
    }
  }
  return { chatId, status, turns, spans, summary: summarize(spans) };
}

type Open = (event: RunEvent, span: Pick<Draft, 'kind' | 'label' | 'state'> & Partial<Draft>) => Draft;

/**
 * Ends a call. What was never started here took its time elsewhere: a client's from its hand-over, a provider's from
 * its request. Of a call that a person's no or a withdrawal ended, the question tells already.
 */
function endCall(call: Call, event: CallEnd, open: Open): void {
  const { waiting, running } = call;
  if (call.retry?.endedAt !== undefined && call.retry.endedAt > event.at) close(call.retry, event.at, {});
  if (!running && waiting && waiting.state !== 'approved') return;
  if (!running && event.type === 'tool-cancelled') return;
  const span =
    running ?? open(event, { ...toolSpan(call), startedAt: waiting?.endedAt ?? call.requested.at });
  close(span, event.at, endOf(event));
  // The tool's own clock leaves out what the log took to write.
  if (event.durationMs !== undefined) span.durationMs = event.durationMs;
  call.ended = span;
}

/** The span ended when nobody knew more; what became known later stands in the place of that. */
function resolveSpan(span: Draft, event: EventOf<'outcome-resolved'>): void {
  const { source, outcome, by, note, at, output, error } = event;
  if (span.resolved?.source === 'late') return;
  delete span.error;
  Object.assign(span, {
    state: outcome === 'completed' ? 'completed' : outcome === 'failed' ? 'failed' : 'cancelled',
    ...(output !== undefined && { output }),
    ...(error !== undefined && { error }),
    resolved: { source, outcome, at, ...(by && { by }), ...(note !== undefined && { note }) },
  });
}

function endOf(event: CallEnd): Partial<Draft> {
  switch (event.type) {
    case 'tool-completed':
      return { state: 'completed', output: event.output };
    case 'tool-failed':
      return { state: 'failed', error: event.error };
    case 'tool-denied':
      return { state: 'denied', ...(event.reason !== undefined && { error: event.reason }) };
    case 'tool-cancelled':
      return { state: 'cancelled', error: event.reason };
  }
}

function toolSpan(call: Call): Pick<Draft, 'kind' | 'label' | 'state'> & Partial<Draft> {
  const { gate, title, toolName } = call.requested;
  return {
    ...aboutCall(call),
    kind: 'tool',
    label: title ?? toolName,
    state: 'running',
    ...(gate.type === 'automatic' && { automatic: automaticOf(gate) }),
  };
}

function automaticOf({ approved, reason }: { approved: boolean; reason?: string }) {
  return { approved, ...(reason !== undefined && { reason }) };
}

function aboutCall({ requested }: Call): Partial<Draft> {
  const { toolCallId, toolName, input } = requested;
  return { toolCallId, toolName, input };
}

function close(span: Draft, at: number, end: Partial<Draft>): void {
  Object.assign(span, { endedAt: at, durationMs: Math.max(0, at - span.startedAt) }, end);
}

function turnOf(
  turn: number,
  { at, by }: EventOf<'run-started'>,
  message: EventOf<'message-received'> | undefined,
): TimelineTurn {
  const parts = message?.parts ?? [];
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  return { turn, startedAt: at, by, text };
}
