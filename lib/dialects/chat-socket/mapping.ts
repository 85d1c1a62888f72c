import { applyToTurn, type Call, emptyTurn } from '../../log/turn.ts';
import type { ChatId, EventOf, FlowEvent } from '../../protocol/index.ts';
import { redact } from '../../protocol/index.ts';
import type { StreamView } from '../../views/flow-stream.ts';
import type { ServerFrameInput } from './schema.ts';
import { cutText, toolInputText, toolText } from './tool-text.ts';

/** What a mapping is told. */
export type MappingSettings = {
  readonly conversationId: ChatId;
  /** Longer results are cut to this many bytes of UTF-8. */
  readonly maxResultBytes: number;
  /** Tell preliminary results as well. @source contract D23 */
  readonly streamsResults: boolean;
};

/**
 * Maps a turn's events to the frames of one socket, from the run that it is read for on. Feed it the turn from its
 * start, so that it knows the calls it speaks of.
 *
 * @source contract D2-D13, D16, D19, D21, D23, D24
 */
export function createChatSocketMapping(view: Pick<StreamView, 'emitFrom'>, settings: MappingSettings) {
  const { conversationId, maxResultBytes, streamsResults } = settings;
  const turn = emptyTurn();
  const started = new Set<string>();
  const chunks = new Map<string, number>();
  let toldOfCancel = false;

  function naming({ requested }: Call, { at }: FlowEvent) {
    const { toolCallId, toolName } = requested;
    return { tool_call_id: toolCallId, tool_name: toolName, timestamp: new Date(at).toISOString() };
  }

  function inputOf({ requested }: Call): string {
    return toolInputText(redact(requested.input, requested.secrets?.input));
  }

  function startOf(call: Call, event: FlowEvent): ServerFrameInput[] {
    const { toolCallId, input, secrets } = call.requested;
    if (started.has(toolCallId)) return [];
    started.add(toolCallId);
    // What a person edited is what runs.
    const running = call.started ? redact(call.started.input, secrets?.input) : undefined;
    const shown = running ?? redact(input, secrets?.input);
    return [{ type: 'tool_start', ...naming(call, event), tool_input: toolInputText(shown) }];
  }

  function completed(call: Call, event: EventOf<'tool-completed'>): ServerFrameInput[] {
    const whole = toolText(redact(event.output, call.requested.secrets?.output));
    const { text, originalLength } = cutText(whole, maxResultBytes);
    const cut =
      originalLength === undefined ? {} : { truncated: true as const, original_length: originalLength };
    const sent = chunks.get(event.toolCallId);
    return [
      ...startOf(call, event),
      ...(sent === undefined
        ? []
        : [{ type: 'tool_result_end' as const, ...naming(call, event), chunks: sent }]),
      { type: 'tool_complete', ...naming(call, event), tool_result: text, ...cut },
    ];
  }

  function progressed(call: Call, event: EventOf<'tool-progressed'>): ServerFrameInput[] {
    if (!streamsResults || event.output === undefined) return [];
    const index = chunks.get(event.toolCallId) ?? 0;
    chunks.set(event.toolCallId, index + 1);
    const { text } = cutText(toolText(redact(event.output, call.requested.secrets?.output)), maxResultBytes);
    return [
      ...startOf(call, event),
      { type: 'tool_result_chunk', ...naming(call, event), index, content: text },
    ];
  }

  function failure(
    { requested }: Call,
    code: 'TOOL_ERROR' | 'TOOL_CANCELLED',
    what: string,
  ): ServerFrameInput {
    toldOfCancel ||= code === 'TOOL_CANCELLED';
    const { toolCallId, toolName } = requested;
    return {
      type: 'error',
      code,
      message: `${toolName}: ${what}`,
      recoverable: true,
      tool_call_id: toolCallId,
    };
  }

  /** A turn that is still read learns of it by another end of the call; later it is in the stored results (D19). */
  function resolved(call: Call, event: EventOf<'outcome-resolved'>): ServerFrameInput[] {
    if (call.end?.type === 'tool-completed') return completed(call, { ...call.end, at: event.at });
    return call.end?.type === 'tool-failed' ? [failure(call, 'TOOL_ERROR', call.end.error)] : [];
  }

  function denied(call: Call, { reason }: EventOf<'tool-denied'>): ServerFrameInput {
    const { withdrawn } = call;
    if (withdrawn && withdrawn.reason !== 'expired') {
      return failure(call, 'TOOL_CANCELLED', `not run, its question was withdrawn (${withdrawn.reason}).`);
    }
    return failure(call, 'TOOL_ERROR', `denied${reason ? `: ${reason}` : '.'}`);
  }

  function framesOfCall(call: Call, event: FlowEvent): ServerFrameInput[] {
    switch (event.type) {
      case 'approval-requested':
        // What a page would have to execute is settled for this client: there is nothing to ask.
        if (call.requested.executor === 'client') return [];
        return [
          {
            type: 'tool_approval_request',
            approval_id: event.approvalId,
            tool_call_id: event.toolCallId,
            tool_name: call.requested.toolName,
            tool_input: inputOf(call),
            description: event.description,
          },
        ];
      case 'tool-started':
        return startOf(call, event);
      case 'tool-progressed':
        return progressed(call, event);
      case 'tool-completed':
        return completed(call, event);
      case 'tool-failed':
        return [...startOf(call, event), failure(call, 'TOOL_ERROR', event.error)];
      case 'outcome-resolved':
        return call.resolved === event ? resolved(call, event) : [];
      case 'tool-denied':
        return [denied(call, event)];
      case 'tool-cancelled':
        return [failure(call, 'TOOL_CANCELLED', event.reason)];
      default:
        return [];
    }
  }

  function complete(): ServerFrameInput[] {
    const { messageId } = turn;
    if (messageId === undefined) return [];
    return [{ type: 'complete', message_id: messageId, conversation_id: conversationId }];
  }

  /** The frames an event gives. */
  return function framesOf(event: FlowEvent): ServerFrameInput[] {
    applyToTurn(turn, event);
    if (event.seq < view.emitFrom) return [];
    if ('toolCallId' in event) {
      const call = turn.calls.get(event.toolCallId);
      return call ? framesOfCall(call, event) : [];
    }
    switch (event.type) {
      case 'text-delta':
        return [{ type: 'token', content: event.delta }];
      case 'run-cancelled':
        return toldOfCancel || event.reason !== 'stopped' ? complete() : [cancelled, ...complete()];
      case 'run-completed':
        return complete();
      case 'run-failed':
        return [{ type: 'error', code: 'LLM_ERROR', message: event.error, recoverable: false }];
      default:
        return [];
    }
  };
}

/** A turn that was cancelled while no tool ran. @source contract D21 */
const cancelled: ServerFrameInput = {
  type: 'error',
  code: 'TOOL_CANCELLED',
  message: 'The turn was cancelled.',
  recoverable: true,
};
