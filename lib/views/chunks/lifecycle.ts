import type { UIMessageChunk } from 'ai';
import type { CallEnd } from '../../log/turn/call-end.ts';
import { problemOf } from '../../log/turn/call-end.ts';
import type { Call } from '../../log/turn/turn.ts';
import { type FlowEvent, present, type WithdrawalReason } from '../../protocol/index.ts';
import type { LifecycleJson } from '../../protocol/wire/chat/lifecycle.ts';

type Phase = LifecycleJson['phase'];

type Facts = Omit<LifecycleJson, 'toolCallId' | 'toolName' | 'kind' | 'phase' | 'at'>;

/**
 * Streams each change of a call as it happens. Clients do not store it. Reports never contain the result.
 *
 * @param options.isWithheld true where calls and preliminary outputs have no part yet: reports then contain the
 *   call's place and its latest preliminary output
 * @source T6, S2
 */
export function lifecycleChunks(event: FlowEvent, call: Call, { isWithheld = false } = {}): UIMessageChunk[] {
  const { toolCallId, toolName, kind } = call.requested;
  const phases = phasesOf(event, call, kind.endsWith('_search'));
  if (phases.length === 0) return [];
  const at = new Date(event.at).toISOString();
  const output = isWithheld && event.type === 'tool-progressed' ? event.output : undefined;
  const position = isWithheld ? call.position : undefined;
  return phases.map(([phase, facts]) => ({
    type: 'data-tool-lifecycle',
    transient: true,
    data: present<LifecycleJson>({ toolCallId, toolName, kind, phase, at, ...facts, output, position }),
  }));
}

function phasesOf(
  event: FlowEvent,
  { requested, end, agentSteps }: Call,
  searches: boolean,
): [Phase, Facts][] {
  switch (event.type) {
    case 'tool-requested':
      return [['requested', {}]];
    case 'agent-step':
      return event.step === 0 ? [['started', {}]] : [];
    case 'tool-started':
      // A subagent started with its first step.
      if (agentSteps) return [];
      return searches
        ? [
            ['started', {}],
            ['searching', {}],
          ]
        : [['started', {}]];
    case 'tool-progressed':
      return [['progressed', { summary: event.summary }]];
    case 'tool-retrying':
      return [['retrying', { error: event.error }]];
    case 'tool-completed': {
      const { durationMs, summary, resultCount } = event;
      return [['completed', { durationMs, summary, resultCount }]];
    }
    case 'tool-failed': {
      const { durationMs, error, retryable, wasRetried } = event;
      const isUnknown = end?.type === 'tool-failed' && end.outcome === 'unknown';
      const unknown: Facts = isUnknown ? { outcome: 'unknown', problem: problemOf(end) } : {};
      return [['failed', { durationMs, error, ...unknown, retryable, wasRetried }]];
    }
    case 'tool-denied':
      return [['denied', { error: event.reason, withdrawn: withdrawalOf(end) }]];
    case 'tool-cancelled':
      return [['cancelled', { error: event.reason }]];
    case 'outcome-resolved': {
      const { outcome, summary, resultCount, error } = event;
      if (outcome === 'completed') return [['completed', { summary, resultCount }]];
      const retryable = outcome === 'not-run' && requested.parent === undefined;
      return [['failed', { error, retryable }]];
    }
    default:
      return [];
  }
}

function withdrawalOf(end: CallEnd | undefined): WithdrawalReason | undefined {
  return end?.type === 'tool-denied' ? end.withdrawn : undefined;
}
