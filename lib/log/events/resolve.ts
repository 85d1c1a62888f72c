import type { EventOf } from '../../protocol/index.ts';
import { type CallEnd, isUnknown } from '../turn/call-end.ts';
import type { Call } from '../turn/turn.ts';

/** Applies a reported outcome. That of the process that ran the call outranks all others, which only inferred the outcome. */
export function resolve(call: Call, event: EventOf<'outcome-resolved'>): void {
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
