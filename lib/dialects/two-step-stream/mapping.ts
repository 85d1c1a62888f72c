import { applyToTurn, type Call, emptyTurn } from '../../log/turn.ts';
import type { FlowEvent } from '../../protocol/index.ts';
import type { StreamView } from '../../views/flow-stream.ts';
import type { StreamEvent } from './schema.ts';

/**
 * Maps a turn's events to one stream of this dialect: from the run that the stream is about on. Feed it the turn
 * from its start, so that it knows the calls it speaks of.
 *
 * @source contract B4-B8, B10, B12, B14, B18
 */
export function createStreamEventMapping(view: Pick<StreamView, 'emitFrom'>) {
  const turn = emptyTurn();

  return function eventsOf(event: FlowEvent): StreamEvent[] {
    applyToTurn(turn, event);
    if (event.seq < view.emitFrom) return [];
    const call = 'toolCallId' in event ? turn.calls.get(event.toolCallId) : undefined;
    switch (event.type) {
      case 'text-delta':
        return [{ type: 'message_chunk', data: { text: event.delta } }];
      case 'tool-requested':
        return call ? [{ type: 'tool_call', data: { tool_call_id: event.toolCallId, ...told(call) } }] : [];
      case 'approval-requested':
        return call && isForPeople(call)
          ? [
              {
                type: 'approval_request',
                data: {
                  approval_id: event.approvalId,
                  tool_call_id: event.toolCallId,
                  title: told(call).title,
                  description: event.description,
                },
              },
            ]
          : [];
      case 'tool-completed':
        return [{ type: 'tool_response', data: { tool_call_id: event.toolCallId, message: event.summary } }];
      case 'tool-failed':
        return call ? [failure(call, event.error)] : [];
      case 'tool-denied':
        return call ? [failure(call, denial(call, event.reason))] : [];
      case 'tool-cancelled':
        return call ? [failure(call, event.reason)] : [];
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
  };
}

/** What a page would have to execute is settled for this client: there is nothing to ask. */
function isForPeople({ requested }: Call): boolean {
  return requested.executor !== 'client';
}

function told({ requested }: Call): { title: string; description: string } {
  const title = requested.title ?? sentenceCase(requested.toolName);
  return { title, description: requested.description ?? title };
}

function failure(call: Call, reason: string): StreamEvent {
  const message = `Couldn't complete ${told(call).title.toLowerCase()}: ${reason}`;
  return { type: 'error', data: { tool_call_id: call.requested.toolCallId, message } };
}

function denial({ withdrawn }: Call, reason: string | undefined): string {
  if (withdrawn) return `its question was withdrawn (${withdrawn.reason})`;
  return reason ? `denied: ${reason}` : 'denied';
}

function sentenceCase(name: string): string {
  const words = name.replaceAll(/[_.-]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
