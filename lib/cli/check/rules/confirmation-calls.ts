import type { UIMessageChunk } from 'ai';
import { guardedCallId, isConfirmationCall } from '../../../protocol/parts.ts';
import { callIdOf, isOutcome } from '../../../testing/response-timing/chunk-kinds.ts';

/** Responses of a backend that asks by confirmation calls, as one that asks about the calls themselves would send them. */
export type GuardedResponses = {
  readonly responses: readonly UIMessageChunk[][];
  /** The call that an id in the responses as sent stands for. */
  readonly callOf: (toolCallId: string) => string;
};

/**
 * Puts the call that a confirmation call guards in its place. The rules are about that call: it is asked about, runs and ends, and
 * the confirmation call itself never ends. If none is named, it is the first call that is shown after the confirmation call
 * and not guarded by another one.
 *
 * @source P6
 */
export function guardedResponses(sent: readonly UIMessageChunk[][]): GuardedResponses {
  const guarded = guardedCalls(sent.flat());
  const callOf = (toolCallId: string) => guarded.get(toolCallId) ?? toolCallId;
  if (guarded.size === 0) return { responses: sent, callOf };
  const names = namesOf(sent.flat());
  const shown = new Set<string>();

  function inPlace(chunk: UIMessageChunk): UIMessageChunk[] {
    if (!('toolCallId' in chunk)) return [chunk];
    const { toolCallId } = chunk;
    const call = callOf(toolCallId);
    const isStandIn = call !== toolCallId;
    // The outcome that counts is that of the guarded call.
    if (isStandIn && isOutcome(chunk)) return [];
    if (chunk.type !== 'tool-input-start' && chunk.type !== 'tool-input-available') {
      return [{ ...chunk, toolCallId: call }];
    }
    const key = `${chunk.type} ${call}`;
    if (shown.has(key)) return [];
    shown.add(key);
    return [{ ...chunk, toolCallId: call, toolName: names.get(call) ?? chunk.toolName }];
  }

  return { responses: sent.map((chunks) => chunks.flatMap(inPlace)), callOf };
}

/** The guarded call of each confirmation call that has one. */
function guardedCalls(chunks: readonly UIMessageChunk[]): ReadonlyMap<string, string> {
  const guarded = new Map<string, string>();
  const confirmations = new Set(
    chunks.flatMap((chunk) =>
      chunk.type === 'tool-input-available' && isConfirmationCall(partOf(chunk)) ? [chunk.toolCallId] : [],
    ),
  );
  const known = new Set<string>(confirmations);
  for (const [index, chunk] of chunks.entries()) {
    if (chunk.type === 'tool-input-available' && confirmations.has(chunk.toolCallId)) {
      const later = chunks.slice(index).map(callIdOf);
      const call = guardedCallId(partOf(chunk)) ?? later.find((id) => id !== undefined && !known.has(id));
      if (call !== undefined) {
        guarded.set(chunk.toolCallId, call);
        known.add(call);
      }
    }
    const id = callIdOf(chunk);
    if (id !== undefined) known.add(id);
  }
  return guarded;
}

function namesOf(chunks: readonly UIMessageChunk[]): ReadonlyMap<string, string> {
  return new Map(
    chunks.flatMap((chunk) =>
      chunk.type === 'tool-input-available' && !isConfirmationCall(partOf(chunk))
        ? [[chunk.toolCallId, chunk.toolName] as const]
        : [],
    ),
  );
}

function partOf({ toolName, input }: { readonly toolName: string; readonly input: unknown }) {
  return { type: 'dynamic-tool', toolName, input };
}
