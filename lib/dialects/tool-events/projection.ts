import type { CallEnd } from '../../log/turn/status-fields.ts';
import type { Call } from '../../log/turn/turn.ts';
import type { ChatId, EventOf } from '../../protocol/index.ts';
import type { Projection } from '../../views/reader/projection.ts';
import { keptCalls, type TurnItem } from '../../views/reader/read-turn.ts';
import { failureText } from '../failure-text.ts';
import type { ToolEvent } from './schema.ts';

/**
 * A turn as this dialect's frames, each as it happens: one start, then exactly one end or error per call, also for calls
 * that were denied or never could run.
 *
 * @source A1-A16, A25
 */
export function createToolEventProjection(conversationId: ChatId): Projection<ToolEvent> {
  const started = new Set<string>();
  const usage = { inputTokens: 0, outputTokens: 0 };
  let hasBegun = false;

  function startOf(call: Call): ToolEvent[] {
    const { toolCallId, toolName } = call.requested;
    if (started.has(toolCallId)) return [];
    started.add(toolCallId);
    // Arguments that a person edited are those that run.
    const { input } = call.started ?? call.requested;
    return [{ type: 'tool_call_start', toolCallId, toolName, input }];
  }

  function endOf(call: Call, end: CallEnd): ToolEvent[] {
    return [...startOf(call), end.type === 'tool-completed' ? completedFrame(end) : errorFrame(call, end)];
  }

  function begin({ turn, event }: TurnItem): ToolEvent[] {
    if (hasBegun || event.type !== 'run-started') return [];
    hasBegun = true;
    return [
      { type: 'message_start', messageId: event.messageId, conversationId },
      ...keptCalls(turn).flatMap((call) => endOf(call, call.end)),
    ];
  }

  return {
    apply(item) {
      const { event, call } = item;
      switch (event.type) {
        case 'run-started':
          return begin(item);
        case 'text-delta':
          return [{ type: 'text_delta', content: event.delta }];
        case 'step-finished':
          usage.inputTokens += event.usage.inputTokens ?? 0;
          usage.outputTokens += event.usage.outputTokens ?? 0;
          return [];
        case 'tool-started':
          return call ? startOf(call) : [];
        case 'approval-requested':
          return call ? questionFrames(call, event) : [];
        case 'tool-completed':
        case 'tool-failed':
        case 'tool-denied':
        case 'tool-cancelled':
          return call?.end ? endOf(call, call.end) : [];
        case 'run-completed':
        case 'run-cancelled':
          return [{ type: 'message_end', usage }];
        case 'run-failed':
          return [{ type: 'error', code: 'AI_SERVICE_UNAVAILABLE', message: event.error, retryable: true }];
        default:
          return [];
      }
    },
  };
}

function completedFrame(end: EventOf<'tool-completed'>): ToolEvent {
  const { toolCallId, summary, resultCount, durationMs = 0, output } = end;
  const facts = { summary, resultCount, durationMs, ...(resultCount === 0 ? {} : { output }) };
  return { type: 'tool_call_end', toolCallId, ...facts };
}

function errorFrame(call: Call, end: CallEnd): ToolEvent {
  const { toolCallId } = call.requested;
  const { retryable, wasRetried } =
    end.type === 'tool-failed' ? end : { retryable: false, wasRetried: false };
  return { type: 'tool_call_error', toolCallId, error: failureText(call) ?? '', retryable, wasRetried };
}

function questionFrames({ requested }: Call, event: EventOf<'approval-requested'>): ToolEvent[] {
  // A client call is settled for this client, so there is nothing to ask.
  if (requested.executor === 'client') return [];
  const { toolCallId, toolName, input } = requested;
  const { approvalId, repeatOf } = event;
  const repeat = repeatOf && { at: new Date(repeatOf.at).toISOString(), outcome: repeatOf.outcome };
  return [
    {
      type: 'approval_request',
      approvalId,
      toolCallId,
      toolName,
      input,
      ...(repeat && { repeatOf: repeat }),
    },
  ];
}
