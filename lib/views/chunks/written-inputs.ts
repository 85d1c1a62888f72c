import type { UIMessageChunk } from 'ai';
import type { EventOf, FlowEvent, ToolCallId } from '../../protocol/index.ts';
import type { ToolInputJson } from '../../protocol/wire/chat/tool-input.ts';

/** The calls that the model is writing, as transient parts. Those never made are retracted. @source T18, S17 */
export function createWrittenInputs() {
  const open = new Map<ToolCallId, EventOf<'tool-input-delta'>>();

  function write(event: EventOf<'tool-input-delta'>): UIMessageChunk[] {
    const begin = open.has(event.callId) ? [] : [inputChunk(event, { delta: '', position: event.seq })];
    open.set(event.callId, event);
    return event.delta === '' ? begin : [...begin, inputChunk(event, { delta: event.delta })];
  }

  function drop(ids: Iterable<ToolCallId>): UIMessageChunk[] {
    return [...ids].flatMap((id) => {
      const written = open.get(id);
      open.delete(id);
      return written ? [inputChunk(written)] : [];
    });
  }

  return {
    apply(event: FlowEvent): UIMessageChunk[] {
      switch (event.type) {
        case 'tool-input-delta':
          return write(event);
        case 'tool-input-dropped':
          return drop([event.callId]);
        case 'tool-requested':
          open.delete(event.toolCallId);
          return [];
        case 'step-started':
        case 'run-completed':
        case 'run-failed':
        case 'run-cancelled':
          return drop(open.keys());
        default:
          return [];
      }
    },
  };
}

function inputChunk(
  { callId, toolName, title }: EventOf<'tool-input-delta'>,
  written: Pick<ToolInputJson, 'delta' | 'position'> = {},
): UIMessageChunk {
  const data = { toolCallId: callId, toolName, title, ...written };
  return { type: 'data-tool-input', transient: true, data: data satisfies ToolInputJson };
}
