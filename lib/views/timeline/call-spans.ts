import type { CallEnd } from '../../log/turn/call-end.ts';
import { earlyApproval } from '../../log/turn/early-approval.ts';
import type { EventOf, FlowEvent, ToolCallId } from '../../protocol/index.ts';
import { closeSpan, type OpenSpan, type SpanDraft, type SpanFields } from './spans.ts';

type Requested = EventOf<'tool-requested'>;

type CallSpans = {
  readonly requested: Requested;
  /** What plugins have recorded about it, and the approval that replaced its question. */
  pluginEvents?: readonly EventOf<'plugin-event'>[];
  granted?: EventOf<'approval-granted'>;
  waiting?: SpanDraft;
  running?: SpanDraft;
  retry?: SpanDraft;
  ended?: SpanDraft;
};

/** The spans of calls: their questions, executions and retries. Calls of earlier turns may still change. */
export function createCallSpans(open: OpenSpan): (event: FlowEvent) => void {
  const calls = new Map<ToolCallId, CallSpans>();

  return (event) => {
    if (event.type === 'tool-requested') calls.set(event.toolCallId, { requested: event });
    const call = 'toolCallId' in event ? calls.get(event.toolCallId) : undefined;
    if (call) applyToCall(call, event, open);
  };
}

function applyToCall(call: CallSpans, event: FlowEvent, open: OpenSpan): void {
  switch (event.type) {
    case 'approval-requested':
      call.waiting = open(event, {
        ...callFields(call.requested),
        kind: 'waiting',
        label: event.description,
        state: 'open',
      });
      return;
    case 'approval-answered':
      if (call.waiting) closeAnswered(call.waiting, event);
      return;
    case 'approval-withdrawn':
      if (call.waiting) closeSpan(call.waiting, event.at, { state: event.reason });
      return;
    case 'plugin-event':
      call.pluginEvents = [...(call.pluginEvents ?? []), event];
      return;
    case 'approval-granted':
      call.granted = event;
      return;
    case 'agent-step':
      addAgentStep(call.requested, event, open);
      return;
    case 'tool-started':
      call.running = open(event, { ...toolFields(call), input: event.input });
      return;
    case 'tool-retrying':
      call.retry = open(event, { ...toolFields(call), kind: 'retry', error: event.error });
      closeSpan(call.retry, event.at + event.delayMs, { state: 'completed' });
      return;
    case 'tool-completed':
    case 'tool-failed':
    case 'tool-denied':
    case 'tool-cancelled':
      endCall(call, event, open);
      return;
    case 'outcome-resolved':
      if (call.ended) resolveSpan(call.ended, event);
      return;
    default:
  }
}

/** A model step of a subagent. Its call takes no time of its own. */
function addAgentStep({ title, toolName }: Requested, event: EventOf<'agent-step'>, open: OpenSpan): void {
  const { step, at, durationMs = 0, usage } = event;
  const label = `${title ?? toolName}: step ${step + 1}`;
  const span = open(event, { kind: 'model', label, state: 'completed', startedAt: at - durationMs, usage });
  closeSpan(span, at, {});
}

function closeAnswered(
  span: SpanDraft,
  { approved, reason, input, by, onBehalfOf, via, at }: EventOf<'approval-answered'>,
): void {
  const answer = { approved, reason, by, onBehalfOf, at, via };
  closeSpan(span, at, {
    state: approved ? 'approved' : 'denied',
    answer: input === undefined ? answer : { ...answer, input },
  });
}

/** Ends a call. A client's call began with its hand-over, a provider's with its request. */
function endCall(call: CallSpans, event: CallEnd, open: OpenSpan): void {
  const { waiting, running } = call;
  if (call.retry?.endedAt !== undefined && call.retry.endedAt > event.at) closeSpan(call.retry, event.at, {});
  if (!running && waiting && waiting.state !== 'approved') return;
  if (!running && event.type === 'tool-cancelled') return;
  const startedAt = waiting?.endedAt ?? call.requested.at;
  const span = running ?? open(event, { ...toolFields(call), startedAt });
  closeSpan(span, event.at, endFields(event));
  // The tool's own clock leaves out the time of the append.
  if (event.durationMs !== undefined) span.durationMs = event.durationMs;
  call.ended = span;
}

/** Replaces the unknown outcome of a span, or what was reported of it before the process that ran the call reported. */
function resolveSpan(span: SpanDraft, event: EventOf<'outcome-resolved'>): void {
  const { source, outcome, by, note, at, output, error } = event;
  delete span.error;
  Object.assign(span, {
    state: outcome === 'completed' ? 'completed' : outcome === 'failed' ? 'failed' : 'cancelled',
    output,
    error,
    resolved: { source, outcome, at, by, note },
  });
}

function endFields(event: CallEnd): Partial<SpanDraft> {
  switch (event.type) {
    case 'tool-completed':
      return { state: 'completed', output: event.output };
    case 'tool-failed':
      return { state: 'failed', error: event.error };
    case 'tool-denied':
      return { state: 'denied', error: event.reason };
    case 'tool-cancelled':
      return { state: 'cancelled', error: event.reason };
  }
}

function toolFields(call: CallSpans): SpanFields {
  const { requested, granted } = call;
  const { gate, title, toolName } = requested;
  const early = granted?.isEarly && earlyApproval(granted.plugin, call);
  return {
    ...callFields(requested),
    kind: 'tool',
    label: title ?? toolName,
    state: 'running',
    ...(early && { approvedEarly: { by: early.approval.by, at: early.event.at } }),
    ...(gate.type === 'automatic' && {
      automatic: { approved: gate.approved, reason: gate.reason },
    }),
  };
}

function callFields({ toolCallId, toolName, input }: Requested): Partial<SpanDraft> {
  return { toolCallId, toolName, input };
}
