import { isOwnOutcome } from '../../log/response-content.ts';
import { applyToTurn, type Call, emptyTurn, type Turn } from '../../log/turn.ts';
import { type EventOf, type FlowEvent, isRunEnd, type RunEvent, type RunId } from '../../protocol/index.ts';
import { isExecutable, wantsAnswer } from '../../run/next-action.ts';
import { createCallEvents } from './call-events.ts';
import type { CallSettings } from './call-items.ts';
import { formatResponseId } from './ids.ts';
import { createOutput } from './output.ts';
import { createProse } from './prose.ts';
import type { ResponseObject } from './response-schema.ts';
import type { ResponseEvent } from './schema.ts';
import { createUsage } from './usage.ts';

/** What a response says of the request it answers. */
export type RequestEcho = Pick<
  ResponseObject,
  'model' | 'instructions' | 'metadata' | 'parallel_tool_calls' | 'previous_response_id'
>;

/** What `createResponseMapping` takes. */
export type ResponseSettings = CallSettings & {
  /** The first event of the turn that this response tells. */
  readonly begins: (event: FlowEvent) => boolean;
  readonly echo: RequestEcho;
};

type Ending = Pick<ResponseObject, 'status' | 'error' | 'incomplete_details'>;

const completed: Ending = { status: 'completed', error: null, incomplete_details: null };
const brokenOff = 'The response broke off. Ask again.';

/**
 * Maps one run of a turn to one response: pure, with every event as it happens. Feed it the turn from its first
 * event; what comes before `begins` only sets the stage.
 *
 * @source contract C1-C8, C11, C12, C16, C18
 */
export function createResponseMapping(settings: ResponseSettings) {
  const turn = emptyTurn();
  const output = createOutput();
  const prose = createProse(output, settings.chatId);
  const calls = createCallEvents(output, settings);
  const usage = createUsage();
  let head: Pick<ResponseObject, 'id' | 'created_at'> | undefined;
  let runId: RunId | undefined;
  let ending: Ending = { status: 'in_progress', error: null, incomplete_details: null };

  function response(): ResponseObject {
    const { id = '', created_at = 0 } = head ?? {};
    const ended = ending.status !== 'in_progress';
    return {
      id,
      object: 'response',
      created_at,
      ...ending,
      output: ended ? output.items() : [],
      usage: ended ? usage.total() : null,
      ...settings.echo,
      store: true,
      tool_choice: 'auto',
      tools: [],
      temperature: null,
      top_p: null,
      access_programs: null,
    };
  }

  function begin(event: RunEvent): void {
    runId = event.runId;
    const id = formatResponseId(settings.chatId, event.runId);
    head = { id, created_at: Math.floor(event.at / 1000) };
    output.emit({ type: 'response.created', response: response() });
    output.emit({ type: 'response.in_progress', response: response() });
  }

  function end(how: Ending): void {
    ending = how;
    prose.end(how.status === 'completed' ? 'completed' : 'incomplete');
    output.endOpen();
    switch (how.status) {
      case 'failed': {
        const { code = null, message = '', type = 'server_error', param = null } = how.error ?? {};
        output.emit({ type: 'error', code, message, param, error: { type, code, message, param } });
        output.emit({ type: 'response.failed', response: response() });
        return;
      }
      case 'incomplete':
        output.emit({ type: 'response.incomplete', response: response() });
        return;
      default:
        output.emit({ type: 'response.completed', response: response() });
    }
  }

  function handOver(call: Call, seq: number): void {
    calls.handedOver(call, seq);
    end(completed);
  }

  function onEvent(event: FlowEvent, call: Call | undefined): void {
    switch (event.type) {
      case 'text-delta':
        prose.text(event);
        return;
      case 'reasoning-delta':
        prose.reasoning(event);
        return;
      case 'source-added':
        prose.source(event);
        return;
      case 'step-started':
        // What was said before a take-over is said again.
        prose.end('incomplete');
        return;
      case 'step-finished':
        // Cut off, filtered, stopped: the text is not all that was to be said.
        prose.end(isExecutable(event.finishReason) ? 'completed' : 'incomplete');
        usage.add(event.usage);
        return;
      case 'tool-started':
        if (call) calls.started(call, event.seq);
        return;
      case 'approval-requested':
        if (call) calls.asked(call, event.approvalId);
        return;
      case 'approval-answered':
        // No run goes on with it before the client has executed the call.
        if (call && event.approved && turn.phase === 'suspended') handOver(call, event.seq);
        return;
      case 'tool-completed':
      case 'tool-failed':
      case 'tool-denied':
      case 'tool-cancelled':
        if (call && !isOwnOutcome(call)) calls.ended(call, event.seq);
        return;
      case 'run-suspended':
        if (call && !(call.asked && !call.answered)) handOver(call, event.seq);
        else end(completed);
        return;
      case 'run-completed':
        end(endingOf(event, turn));
        return;
      case 'run-failed':
        end(failure(event.error));
        return;
      case 'run-cancelled':
        end({ status: 'incomplete', error: null, incomplete_details: { reason: 'steered' } });
        return;
      default:
    }
  }

  return {
    /** The events that an event of the turn gives; none after the response has ended. */
    push(event: FlowEvent): ResponseEvent[] {
      applyToTurn(turn, event);
      if (ending.status !== 'in_progress') return [];
      if (!head && event.runId !== undefined && settings.begins(event)) begin(event);
      if (!head || (isRunEnd(event) && event.runId !== runId)) return [];
      const call = 'toolCallId' in event ? turn.calls.get(event.toolCallId) : undefined;
      onEvent(event, call);
      return output.take();
    },

    /** For a log that ends before the run does: its chat was erased. Nothing when the response has ended. */
    breakOff(): ResponseEvent[] {
      if (ending.status === 'in_progress') end(failure(brokenOff));
      return output.take();
    },

    /** Whether its last event was given. */
    ended: () => ending.status !== 'in_progress',

    /** The response as it stands. */
    response,
  };
}

/** @see createResponseMapping */
export type ResponseMapping = ReturnType<typeof createResponseMapping>;

function failure(message: string): Ending {
  return {
    status: 'failed',
    error: { type: 'server_error', code: 'server_error', message, param: null },
    incomplete_details: null,
  };
}

/** The log does not say that a limit ended a turn; that the engine would have gone on does. @source contract C11 */
function endingOf({ finishReason }: EventOf<'run-completed'>, turn: Turn): Ending {
  const incomplete = (reason: 'max_messages' | 'max_output_tokens' | 'content_filter'): Ending => ({
    status: 'incomplete',
    error: null,
    incomplete_details: { reason },
  });
  if (wantsAnswer(turn)) return incomplete('max_messages');
  if (finishReason === 'length') return incomplete('max_output_tokens');
  if (finishReason === 'content-filter') return incomplete('content_filter');
  return completed;
}
