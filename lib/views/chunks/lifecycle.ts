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
  const progress = isWithheld && event.type === 'tool-progressed' ? present({ output: event.output }) : {};
  const place = isWithheld ? { position: call.position } : {};
  return phases.map(([phase, facts]) => ({
    type: 'data-tool-lifecycle',
    transient: true,
    data: { toolCallId, toolName, kind, phase, at, ...facts, ...progress, ...place } satisfies LifecycleJson,
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
      return [['progressed', present({ summary: event.summary })]];
    case 'tool-retrying':
      return [['retrying', { error: event.error }]];
    case 'tool-completed': {
      const { durationMs, summary, resultCount } = event;
      return [['completed', present({ durationMs, summary, resultCount })]];
    }
    case 'tool-failed': {
      const { durationMs, error, retryable, wasRetried } = event;
      const isUnknown = end?.type === 'tool-failed' && end.outcome === 'unknown';
      const unknown: Facts = isUnknown ? { outcome: 'unknown', problem: problemOf(end) } : {};
      return [['failed', present({ durationMs, error, ...unknown, retryable, wasRetried })]];
    }
    case 'tool-denied':
      return [['denied', present({ error: event.reason, withdrawn: withdrawalOf(end) })]];
    case 'tool-cancelled':
      return [['cancelled', present({ error: event.reason })]];
    case 'outcome-resolved': {
      const { outcome, summary, resultCount, error } = event;
      if (outcome === 'completed') return [['completed', present({ summary, resultCount })]];
      const retryable = outcome === 'not-run' && requested.parent === undefined;
      return [['failed', present({ error, retryable })]];
    }
    default:
      return [];
  }
}

function withdrawalOf(end: CallEnd | undefined): WithdrawalReason | undefined {
  return end?.type === 'tool-denied' ? end.withdrawn : undefined;
}
