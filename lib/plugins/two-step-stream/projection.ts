import { denialText } from '../../dialects/failure-text.ts';
import type { Call } from '../../log/turn/turn.ts';
import type { EventOf } from '../../protocol/index.ts';
import type { Projection } from '../../views/reader/projection.ts';
import type { StreamEvent } from './client/schema.ts';

/**
 * A turn as one stream of this dialect, from the stream's own run on.
 *
 * @source B4-B8, B10, B12, B14, B18
 */
export const twoStepProjection: Projection<StreamEvent> = {
  apply({ event, turn, call, isInResponse }) {
    if (!isInResponse) return [];
    switch (event.type) {
      case 'text-delta':
        return [{ type: 'message_chunk', data: { text: event.delta } }];
      case 'tool-requested':
        return call ? [announcement(call)] : [];
      case 'approval-requested':
        return call && isForPeople(call) ? [questionEvent(call, event)] : [];
      case 'tool-completed':
        return [{ type: 'tool_response', data: { tool_call_id: event.toolCallId, message: event.summary } }];
      case 'tool-failed':
      case 'tool-denied':
      case 'tool-cancelled':
        return call ? [failureEvent(call)] : [];
      case 'run-suspended':
        if (turn.waitsFor && !isForPeople(turn.waitsFor)) return [];
        return [{ type: 'done', data: { reason: 'approval_required' } }];
      case 'run-completed':
        return [{ type: 'done', data: { reason: 'complete' } }];
      case 'run-cancelled':
        return [{ type: 'done', data: { reason: 'cancelled' } }];
      case 'run-failed':
        return [
          { type: 'error', data: { tool_call_id: null, message: event.error } },
          { type: 'done', data: { reason: 'error' } },
        ];
      default:
        return [];
    }
  },
};

/** @source B4 */
export function announcement(call: Call): StreamEvent {
  return { type: 'tool_call', data: { tool_call_id: call.requested.toolCallId, ...labelsOf(call) } };
}

/** A client call is settled for this client, so people are not asked about it. */
export function isForPeople({ requested }: Call): boolean {
  return requested.executor !== 'client';
}

function questionEvent(call: Call, { approvalId, description }: EventOf<'approval-requested'>): StreamEvent {
  const { toolCallId } = call.requested;
  const { title } = labelsOf(call);
  return {
    type: 'approval_request',
    data: { approval_id: approvalId, tool_call_id: toolCallId, title, description },
  };
}

function failureEvent(call: Call): StreamEvent {
  const message = `Couldn't complete ${activityOf(call)}: ${causeOf(call)}`;
  return { type: 'error', data: { tool_call_id: call.requested.toolCallId, message } };
}

/** "Web search" that is "Searching the web for moon landings": "web search for moon landings". @source B14 */
function activityOf(call: Call): string {
  const { title, description } = labelsOf(call);
  const [, about] = /\bfor (.*[^\s.])/s.exec(description) ?? [];
  return `${title.toLowerCase()}${about === undefined ? '' : ` for ${about}`}`;
}

function causeOf({ end }: Call): string {
  switch (end?.type) {
    case 'tool-failed':
      return end.error;
    case 'tool-denied':
      return denialText(end);
    case 'tool-cancelled':
      return end.reason;
    default:
      return '';
  }
}

function labelsOf({ requested }: Call): { title: string; description: string } {
  const title = requested.title ?? sentenceCase(requested.toolName);
  return { title, description: requested.description ?? title };
}

function sentenceCase(name: string): string {
  const words = name.replaceAll(/[_.-]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
