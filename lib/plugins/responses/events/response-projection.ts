import { isOwnOutcome } from '../../../log/turn/response-content.ts';
import type { Call } from '../../../log/turn/turn.ts';
import { isExecutable } from '../../../log/turn/wants-answer.ts';
import {
  type ChatId,
  type FlowEvent,
  isRunEnd,
  type RunEvent,
  type RunOptions,
} from '../../../protocol/index.ts';
import type { Projection } from '../../../views/reader/projection.ts';
import type { TurnItem } from '../../../views/reader/read-turn.ts';
import type { ResponseEvent } from '../client/schema/event-schema.ts';
import type { ResponseObject } from '../client/schema/response-schema.ts';
import { factsOfTurn, type RequestFacts } from '../request/request-facts.ts';
import { type CallEvents, createCallEvents } from './call-events.ts';
import type { CallSettings } from './call-items.ts';
import { completed, type Ending, endingOf, failed, incomplete } from './ending.ts';
import { createOutput } from './output.ts';
import { createProse, type Prose } from './prose.ts';
import { createResponseState, echoOf, type ResponseState } from './response-state.ts';

/** What `createResponseProjection` takes. */
export type ResponseSettings = {
  readonly chatId: ChatId;
  /** Whether the response begins with this event of the turn. */
  readonly begins: (event: FlowEvent) => boolean;
  /** The server name of `mcp_call` items. */
  readonly serverLabel: string;
  /** How function tools are shown, unless the request says otherwise. */
  readonly serverTools: CallSettings['serverTools'];
  /** The model's name, unless the request has one. */
  readonly model: string;
  /** @see CallSettings.asksAt */
  readonly asksAt?: string;
  /** What the request of this response set. The rest is as set by the request that began the turn. */
  readonly given: RequestFacts;
  /** Calls that the request has settled before this response began. They come first. */
  readonly outcomes?: readonly { readonly call: Call; readonly seq: number }[];
};

/** One response: its events, and the whole as it stands. */
export type ResponseProjection = Projection<ResponseEvent> & {
  readonly isDone: () => boolean;
  readonly response: () => ResponseObject;
};

/**
 * One run of a turn as one response, with every event as it happens. Events before `begins` give context only.
 *
 * @source C1, C2, C3, C4, C5, C6, C7, C8, C11, C12, C16, C18
 */
export function createResponseProjection(settings: ResponseSettings): ResponseProjection {
  const output = createOutput();
  const prose = createProse(output, settings.chatId);
  const state = createResponseState(output, settings.chatId);
  let callEvents: CallEvents | undefined;

  function begin(event: RunEvent, options: RunOptions | undefined): void {
    const { previous_response_id: _first, ...ofTurn } = factsOfTurn(options);
    const facts = { ...ofTurn, ...settings.given };
    callEvents = createCallEvents(output, callSettings(settings, facts));
    state.begin(event, echoOf(facts, settings.model));
    for (const { call, seq } of settings.outcomes ?? []) callEvents.ended(call, seq);
  }

  function end(how: Ending): void {
    prose.end(how.status === 'completed' ? 'completed' : 'incomplete');
    state.end(how);
  }

  function handOver(call: Call, seq: number): void {
    callEvents?.handedOver(call, seq);
    end(completed);
  }

  /** What happens to a call. */
  function onCallEvent({ event, turn }: TurnItem, call: Call): void {
    switch (event.type) {
      case 'agent-step':
        state.addUsage(event.usage);
        return;
      case 'tool-started':
        callEvents?.started(call, event.seq);
        return;
      case 'approval-requested':
        callEvents?.asked(call, event);
        return;
      case 'approval-answered':
        // No run continues before the client has executed the call.
        if (event.approved && turn.phase === 'suspended') handOver(call, event.seq);
        return;
      case 'tool-completed':
      case 'tool-failed':
      case 'tool-denied':
      case 'tool-cancelled':
        if (!isOwnOutcome(call)) callEvents?.ended(call, event.seq);
        return;
      default:
    }
  }

  function onRunEnd({ event, turn, call }: TurnItem): void {
    switch (event.type) {
      case 'run-suspended':
        if (call && !(call.asked && !call.answered)) handOver(call, event.seq);
        else end(completed);
        return;
      case 'run-completed':
        end(endingOf(event, turn));
        return;
      case 'run-failed':
        end(failed(event.error, event.code));
        return;
      case 'run-cancelled':
        end(incomplete('steered'));
        return;
      default:
    }
  }

  return {
    apply(item) {
      const { event, call, turn } = item;
      if (state.hasEnded()) return [];
      if (!state.hasBegun() && event.runId !== undefined && settings.begins(event))
        begin(event, turn.options);
      if (!state.hasBegun() || (isRunEnd(event) && event.runId !== state.runId())) return [];
      if (isRunEnd(event)) onRunEnd(item);
      else if (call) onCallEvent(item, call);
      else onModelEvent(event, prose, state);
      return output.take();
    },

    /** The log ends before the run does when its chat was erased. */
    end() {
      if (!state.hasEnded()) end(failed('The response broke off. Ask again.'));
      return output.take();
    },

    isDone: state.hasEnded,
    response: state.response,
  };
}

/** What the model produces. */
function onModelEvent(event: FlowEvent, prose: Prose, state: ResponseState): void {
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
      prose.stepStarted(event);
      return;
    case 'step-finished':
      // A step that was cut off, filtered or stopped has not finished its text.
      if (event.refused) prose.refuse();
      prose.end(isExecutable(event.finishReason) ? 'completed' : 'incomplete');
      state.addUsage(event.usage);
      return;
    default:
  }
}

/** How the calls of a response are shown. @source C7 */
function callSettings(
  { chatId, serverLabel, serverTools, asksAt }: ResponseSettings,
  facts: RequestFacts,
): CallSettings {
  const wanted = facts.metadata?.server_tools;
  const isForm = wanted === 'function_call' || wanted === 'mcp_call';
  return {
    chatId,
    serverLabel,
    serverTools: isForm ? wanted : serverTools,
    include: facts.include ?? [],
    asksAt,
  };
}
