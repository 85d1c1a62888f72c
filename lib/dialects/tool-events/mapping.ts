import type { CallEnd } from '../../log/status-fields.ts';
import { applyToTurn, type Call, calls, emptyTurn } from '../../log/turn.ts';
import type { ChatId, FlowEvent } from '../../protocol/index.ts';
import { redact } from '../../protocol/index.ts';
import type { ToolEvent } from './schema.ts';

/**
 * Maps a turn's events to this dialect's frames, each as it happens: one start, then exactly one end or error
 * per call, also for calls that were denied or never could run.
 *
 * @source contract A1-A16, A25
 */
export function createToolEventMapping(conversationId: ChatId) {
  const turn = emptyTurn();
  const started = new Set<string>();
  const usage = { inputTokens: 0, outputTokens: 0 };
  let begun = false;

  function startOf({ requested, started: running }: Call): ToolEvent[] {
    const { toolCallId, toolName, secrets } = requested;
    // What a person edited is what runs.
    const { input } = running ?? requested;
    if (started.has(toolCallId)) return [];
    started.add(toolCallId);
    return [{ type: 'tool_call_start', toolCallId, toolName, input: redact(input, secrets?.input) }];
  }

  function failed(
    call: Call,
    error: string,
    facts: { retryable: boolean; wasRetried: boolean },
  ): ToolEvent[] {
    const { toolCallId } = call.requested;
    return [...startOf(call), { type: 'tool_call_error', toolCallId, error, ...facts }];
  }

  function endOf(call: Call, event: CallEnd): ToolEvent[] {
    const final = { retryable: false, wasRetried: false };
    switch (event.type) {
      case 'tool-completed': {
        const { toolCallId, summary, resultCount, durationMs = 0 } = event;
        const output = redact(event.output, call.requested.secrets?.output);
        const facts = { summary, resultCount, durationMs, ...(resultCount === 0 ? {} : { output }) };
        return [...startOf(call), { type: 'tool_call_end', toolCallId, ...facts }];
      }
      case 'tool-failed':
        return failed(call, event.error, { retryable: event.retryable, wasRetried: event.wasRetried });
      case 'tool-denied':
        return failed(call, denial(call, event.reason), final);
      case 'tool-cancelled':
        return failed(call, event.reason, final);
      default:
        return event satisfies never;
    }
  }

  /** The calls that ran before a cut belong to the message that begins after it. */
  function keptCalls(): ToolEvent[] {
    return calls(turn).flatMap((call) => (call.kept === 'shown' && call.end ? endOf(call, call.end) : []));
  }

  /** The frames an event gives. */
  return function framesOf(event: FlowEvent): ToolEvent[] {
    applyToTurn(turn, event);
    const call = 'toolCallId' in event ? turn.calls.get(event.toolCallId) : undefined;
    switch (event.type) {
      case 'run-started':
        if (begun) return [];
        begun = true;
        return [{ type: 'message_start', messageId: event.messageId, conversationId }, ...keptCalls()];
      case 'text-delta':
        return [{ type: 'text_delta', content: event.delta }];
      case 'step-finished':
        usage.inputTokens += event.usage.inputTokens ?? 0;
        usage.outputTokens += event.usage.outputTokens ?? 0;
        return [];
      case 'tool-started':
        return call ? startOf(call) : [];
      case 'approval-requested': {
        // What a page would have to execute is settled for this client: there is nothing to ask.
        if (!call || call.requested.executor === 'client') return [];
        const { toolCallId, toolName, input, secrets } = call.requested;
        const { approvalId, repeatOf } = event;
        const asked = { approvalId, toolCallId, toolName, input: redact(input, secrets?.input) };
        // Where it was is for those who may see that chat; this mapping does not know who reads.
        const repeat = repeatOf && { at: new Date(repeatOf.at).toISOString(), outcome: repeatOf.outcome };
        return [{ type: 'approval_request', ...asked, ...(repeat && { repeatOf: repeat }) }];
      }
      case 'tool-completed':
      case 'tool-failed':
      case 'tool-denied':
      case 'tool-cancelled':
        return call ? endOf(call, event) : [];
      case 'run-completed':
      case 'run-cancelled':
        return [{ type: 'message_end', usage }];
      case 'run-failed':
        return [{ type: 'error', code: 'AI_SERVICE_UNAVAILABLE', message: event.error, retryable: true }];
      default:
        return [];
    }
  };
}

function denial({ withdrawn }: Call, reason: string | undefined): string {
  if (withdrawn) return `The call was not run: its question was withdrawn (${withdrawn.reason}).`;
  return `The call was denied${reason ? `: ${reason}` : '.'}`;
}
