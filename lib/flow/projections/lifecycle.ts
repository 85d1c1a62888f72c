import type { UIMessageChunk } from 'ai';
import type { FlowEvent } from '../../vocabulary/index.ts';
import type { Call } from '../turn.ts';

type Phase =
  | 'requested'
  | 'started'
  | 'searching'
  | 'progressed'
  | 'retrying'
  | 'completed'
  | 'failed'
  | 'denied'
  | 'cancelled';

type Facts = {
  durationMs?: number;
  summary?: string;
  resultCount?: number;
  error?: string;
  retryable?: boolean;
  wasRetried?: boolean;
};

/** Each change of a call, told at once and never kept by the client. The output is never in it. @source T6, S */
export function lifecycleChunks(event: FlowEvent, call: Call): UIMessageChunk[] {
  const { toolCallId, toolName, kind } = call.requested;
  const at = new Date(event.at).toISOString();
  return phasesOf(event, kind.endsWith('_search')).map(([phase, facts]) => ({
    type: 'data-tool-lifecycle',
    transient: true,
    data: { toolCallId, toolName, kind, phase, at, ...facts },
  }));
}

function phasesOf(event: FlowEvent, searches: boolean): [Phase, Facts][] {
  switch (event.type) {
    case 'tool-requested':
      return [['requested', {}]];
    case 'tool-started':
      return searches
        ? [
            ['started', {}],
            ['searching', {}],
          ]
        : [['started', {}]];
    case 'tool-progressed':
      return [['progressed', defined({ summary: event.summary })]];
    case 'tool-retrying':
      return [['retrying', { error: event.error }]];
    case 'tool-completed': {
      const { durationMs, summary, resultCount } = event;
      return [['completed', defined({ durationMs, summary, resultCount })]];
    }
    case 'tool-failed': {
      const { durationMs, error, retryable, wasRetried } = event;
      return [['failed', defined({ durationMs, error, retryable, wasRetried })]];
    }
    case 'tool-denied':
      return [['denied', defined({ error: event.reason })]];
    case 'tool-cancelled':
      return [['cancelled', defined({ error: event.reason })]];
    default:
      return [];
  }
}

function defined(facts: Facts): Facts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
