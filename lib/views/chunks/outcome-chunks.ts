import type { UIMessageChunk } from 'ai';
import { problemOf } from '../../log/turn/call-end.ts';
import type { Call } from '../../log/turn/turn.ts';
import { type EventOf, type JsonObject, present } from '../../protocol/index.ts';
import type { ResolutionJson } from '../../protocol/wire/resolution.ts';
import { factsFor, type Place, showCall } from './call-chunks.ts';

/** A call's outcome, shown after the call. One that the server settled is marked as executed elsewhere. @source T3 */
export function outcomeChunks(call: Call, place: Place, shown: boolean): UIMessageChunk[] {
  const { requested, end } = call;
  if (!end) return [];
  const { toolCallId, toolName, executor, dynamic, title } = requested;
  const endedByServer =
    executor === 'client' &&
    (call.kept !== undefined ||
      requested.invalid ||
      end.type === 'tool-cancelled' ||
      (end.type === 'tool-denied' && !shown));
  const providerExecuted = executor === 'provider' || endedByServer || undefined;
  const common = { toolCallId, dynamic: dynamic || undefined, providerExecuted };

  if (requested.invalid && end.type === 'tool-failed' && !shown) {
    const named = { ...common, toolName, input: requested.input, title };
    return [{ type: 'tool-input-error', ...named, ...factsFor(place), errorText: end.error }];
  }
  const before = shown ? [] : showCall(call, place, endedByServer);
  const facts = outcomeFacts(call);
  switch (end.type) {
    case 'tool-completed':
      return [...before, { type: 'tool-output-available', ...common, ...facts, output: end.output }];
    case 'tool-failed':
      return [...before, { type: 'tool-output-error', ...common, ...facts, errorText: end.error }];
    case 'tool-denied':
      return [...before, { type: 'tool-output-denied', toolCallId }];
    case 'tool-cancelled':
      return [...before, { type: 'tool-output-error', ...common, ...facts, errorText: end.reason }];
    default:
      return end satisfies never;
  }
}

/** The latest preliminary output of a generator tool. The final output replaces it. @source T11 */
export function preliminaryChunks(
  { requested }: Call,
  { output }: EventOf<'tool-progressed'>,
): UIMessageChunk[] {
  const { toolCallId, dynamic } = requested;
  if (output === undefined) return [];
  return [
    { type: 'tool-output-available', toolCallId, dynamic: dynamic || undefined, output, preliminary: true },
  ];
}

/** Who reported the outcome of a call that was unknown, and when. */
function resolvedFacts({ source, outcome, by, note, at }: EventOf<'outcome-resolved'>): ResolutionJson {
  return {
    source,
    outcome,
    at: new Date(at).toISOString(),
    by: by === undefined ? undefined : { id: by.id, name: by.name },
    note,
  };
}

/** Facts that a card shows with an outcome, in the part. Clients make outcomes of their own tools, without facts. */
function outcomeFacts({ requested, answered, started, retried, end, resolved }: Call): {
  toolMetadata?: { countersign: JsonObject };
} {
  if (requested.executor === 'client' || !end) return {};
  const { durationMs } = end;
  const isUnknown = end.type === 'tool-failed' && end.outcome === 'unknown';
  const facts = present<JsonObject>({
    input: started && answered?.input !== undefined ? started.input : undefined,
    summary: end.type === 'tool-completed' ? end.summary : undefined,
    resultCount: end.type === 'tool-completed' ? end.resultCount : undefined,
    outcome: isUnknown ? 'unknown' : undefined,
    problem: isUnknown ? problemOf(end) : undefined,
    durationMs,
    wasRetried: retried ? true : undefined,
    resolved: resolved && resolvedFacts(resolved),
  });
  return Object.keys(facts).length > 0 ? { toolMetadata: { countersign: facts } } : {};
}
