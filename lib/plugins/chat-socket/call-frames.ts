import { denialText } from '../../dialects/failure-text.ts';
import type { Call } from '../../log/turn/turn.ts';
import type { EventOf, FlowEvent } from '../../protocol/index.ts';
import type { TurnFrame } from './client/schema.ts';
import { type CutText, cutText, toolInputText, toolText } from './tool-text.ts';

/** Which frames of calls a client gets. */
export type CallFrameSettings = {
  /** Longer results are cut to this many bytes of UTF-8. */
  readonly maxResultBytes: number;
  /** Send preliminary results as well. @source D23 */
  readonly streamsResults: boolean;
};

/** The frames that an event adds for its call. @source D4, D5, D6, D7, D8, D9, D10, D11, D12, D13, D19, D21, D23, D24 */
export function createCallFrames({ maxResultBytes, streamsResults }: CallFrameSettings) {
  const started = new Set<string>();
  /** How many preliminary results were sent, by call. */
  const chunks = new Map<string, number>();
  /** Calls that a person stopped, and whose tools did not end. */
  const stopped = new Set<string>();

  function startOf(call: Call, event: FlowEvent): TurnFrame[] {
    const { toolCallId } = call.requested;
    if (started.has(toolCallId)) return [];
    started.add(toolCallId);
    // Arguments that a person edited are those that run.
    const { input } = call.started ?? call.requested;
    return [{ type: 'tool_start', ...naming(call, event), tool_input: toolInputText(input) }];
  }

  function completed(call: Call, event: FlowEvent, end: EventOf<'tool-completed'>): TurnFrame[] {
    const { text, originalLength } = resultText(end);
    const cut =
      originalLength === undefined ? {} : { truncated: true as const, original_length: originalLength };
    const sent = chunks.get(call.requested.toolCallId);
    return [
      ...startOf(call, event),
      ...(sent === undefined
        ? []
        : [{ type: 'tool_result_end' as const, ...naming(call, event), chunks: sent }]),
      { type: 'tool_complete', ...naming(call, event), tool_result: text, ...cut },
    ];
  }

  /** For a large result, only the summary. The client fetches the text. */
  function resultText({ output, summary, storedText }: EventOf<'tool-completed'>): CutText {
    return storedText
      ? { text: toolText(summary), originalLength: storedText.bytes }
      : cutText(toolText(output), maxResultBytes);
  }

  function progressed(call: Call, event: EventOf<'tool-progressed'>): TurnFrame[] {
    if (!streamsResults || event.output === undefined) return [];
    const index = chunks.get(event.toolCallId) ?? 0;
    chunks.set(event.toolCallId, index + 1);
    const { text: content } = cutText(toolText(event.output), maxResultBytes);
    return [...startOf(call, event), { type: 'tool_result_chunk', ...naming(call, event), index, content }];
  }

  /** While the turn is read, a late outcome is another end of the call. Afterwards it is in the stored results (D19). */
  function resolved(call: Call, event: EventOf<'outcome-resolved'>): TurnFrame[] {
    const { end } = call;
    if (call.resolved !== event) return [];
    if (end?.type === 'tool-completed') return completed(call, event, end);
    // That a stopped call came to nothing is no news.
    const isNews = end?.type === 'tool-failed' && !stopped.has(event.toolCallId);
    return isNews ? [failure(call.requested, 'TOOL_ERROR', end.error)] : [];
  }

  function failed(call: Call, event: EventOf<'tool-failed'>): TurnFrame[] {
    // A tool that did not end when a person stopped it has an unknown outcome, but it is cancelled.
    if (event.stopped) stopped.add(event.toolCallId);
    const code = event.stopped ? 'TOOL_CANCELLED' : 'TOOL_ERROR';
    return [...startOf(call, event), failure(call.requested, code, event.error)];
  }

  return function framesOf(call: Call, event: FlowEvent): TurnFrame[] {
    switch (event.type) {
      case 'approval-requested':
        return questionFrames(call, event);
      case 'answer-recorded':
      case 'plugin-event':
        // Sent again, because the client that voted may show it as answered. It is open.
        return call.asked ? questionFrames(call, call.asked) : [];
      case 'tool-started':
        return startOf(call, event);
      case 'tool-progressed':
        return progressed(call, event);
      case 'tool-completed':
        return completed(call, event, event);
      case 'tool-failed':
        return failed(call, event);
      case 'outcome-resolved':
        return resolved(call, event);
      case 'tool-denied':
        return denied(call);
      case 'tool-cancelled':
        return [failure(call.requested, 'TOOL_CANCELLED', event.reason)];
      default:
        return [];
    }
  };
}

function naming({ requested }: Call, { at }: FlowEvent) {
  const { toolCallId, toolName } = requested;
  return { tool_call_id: toolCallId, tool_name: toolName, timestamp: new Date(at).toISOString() };
}

function questionFrames(
  { requested }: Call,
  { approvalId, description }: EventOf<'approval-requested'>,
): TurnFrame[] {
  const { toolCallId, toolName, input, executor } = requested;
  // A client call is settled for this client, so there is nothing to ask.
  if (executor === 'client') return [];
  return [
    {
      type: 'tool_approval_request',
      approval_id: approvalId,
      tool_call_id: toolCallId,
      tool_name: toolName,
      tool_input: toolInputText(input),
      description,
    },
  ];
}

function denied({ requested, end }: Call): TurnFrame[] {
  if (end?.type !== 'tool-denied') return [];
  const { reason, withdrawn } = end;
  return withdrawn && withdrawn !== 'expired'
    ? [failure(requested, 'TOOL_CANCELLED', `not run, ${denialText(end)}.`)]
    : [failure(requested, 'TOOL_ERROR', `${denialText({ reason })}${reason ? '' : '.'}`)];
}

function failure(
  { toolCallId, toolName }: Call['requested'],
  code: 'TOOL_ERROR' | 'TOOL_CANCELLED',
  problem: string,
): TurnFrame {
  return {
    type: 'error',
    code,
    message: `${toolName}: ${problem}`,
    recoverable: true,
    tool_call_id: toolCallId,
  };
}
