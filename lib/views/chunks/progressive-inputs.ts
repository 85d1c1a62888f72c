import type { EventOf, FlowEvent, ToolCallId } from '../../protocol/index.ts';
import type { CallWriter } from './call-writer.ts';
import type { ChunkWriter } from './chunk-writer.ts';
import { createWrittenInputs } from './written-inputs.ts';

/**
 * Streams the calls that the model is writing: calls that can never ask as parts, and all others as transient
 * parts. If a call was not made, its part is retracted with the parts of its step, and the other parts are
 * written again.
 *
 * @source T11, T18
 */
export function createLiveInputs(writer: ChunkWriter, callWriter: CallWriter) {
  const others = createWrittenInputs();
  const parts = new Set<ToolCallId>();

  function write(event: EventOf<'tool-input-delta'>): void {
    const { callId: toolCallId, toolName, title, dynamic, delta } = event;
    if (!parts.has(toolCallId)) {
      const named = { title, dynamic: dynamic || undefined };
      callWriter.begin({ type: 'tool-input-start', toolCallId, toolName, ...named });
      parts.add(toolCallId);
    }
    if (delta !== '') writer.write({ type: 'tool-input-delta', toolCallId, inputTextDelta: delta });
  }

  function withdraw(ids: Iterable<ToolCallId>): void {
    const taken = [...ids].filter((id) => parts.delete(id));
    if (taken.length > 0) writer.withdraw(taken);
    for (const id of taken) callWriter.forget(id);
  }

  return {
    apply(event: FlowEvent): void {
      if (event.type === 'tool-input-delta' && event.neverAsks) {
        write(event);
        return;
      }
      writer.write(...others.apply(event));
      switch (event.type) {
        case 'tool-input-dropped':
          withdraw([event.callId]);
          return;
        case 'tool-requested':
          parts.delete(event.toolCallId);
          return;
        case 'run-completed':
        case 'run-failed':
        case 'run-cancelled':
          withdraw(parts);
          return;
        default:
      }
    },

    /** The step runs again: its parts are gone. */
    reset(): void {
      for (const id of parts) callWriter.forget(id);
      parts.clear();
    },
  };
}
