import type { ChatId, EventOf, FlowEvent } from '../../protocol/index.ts';
import { createRedaction } from '../reader/redact-events.ts';
import { createCallSpans } from './call-spans.ts';
import { closeSpan, type OpenSpan, type SpanDraft } from './spans.ts';
import type { Timeline, TimelineTurn } from './timeline-span.ts';
import { summarize } from './timeline-summary.ts';

/**
 * The timeline of a chat: how long the model, people and tools took, turn by turn. Pure and linear. Turns that were cut
 * away stay in it.
 *
 * @param events of the chat, from its first on, as `flow.chats.timeline` returns them
 */
export function timelineOf(chatId: ChatId, events: readonly FlowEvent[]): Timeline {
  const redactEvent = createRedaction();
  const timeline = createTimeline();
  for (const event of events) timeline.apply(redactEvent(event));
  return timeline.read(chatId);
}

function createTimeline() {
  const spans: SpanDraft[] = [];
  const turns: TimelineTurn[] = [];
  let status: Timeline['status'] = 'idle';
  let model: SpanDraft | undefined;
  let message: EventOf<'message-received'> | undefined;
  let isNewTurn = false;

  const open: OpenSpan = (event, fields) => {
    const { seq, at, runId } = event;
    const span = { id: `${fields.kind}-${seq}`, runId, turn: turns.length, startedAt: at, ...fields };
    spans.push(span);
    return span;
  };
  const applyToCalls = createCallSpans(open);

  function endModel({ at }: FlowEvent, end: Partial<SpanDraft>): void {
    if (model) closeSpan(model, at, end);
    model = undefined;
  }

  function apply(event: FlowEvent): void {
    switch (event.type) {
      case 'message-received':
        message = event;
        isNewTurn = true;
        return;
      case 'message-imported':
      case 'history-cut':
        isNewTurn = true;
        return;
      case 'run-started':
        if (isNewTurn) turns.push(turnOf(turns.length + 1, event, message));
        isNewTurn = false;
        status = 'active';
        return;
      case 'step-started':
        // A step that is still open was interrupted: the instance that ran it stopped.
        endModel(event, { state: 'cancelled' });
        model = open(event, { kind: 'model', label: `Step ${event.step + 1}`, state: 'running' });
        return;
      case 'step-finished':
        endModel(event, { state: 'completed', usage: event.usage });
        return;
      case 'run-suspended':
      case 'run-completed':
        endModel(event, { state: 'completed' });
        status = event.type === 'run-suspended' ? 'waiting' : 'idle';
        return;
      case 'run-failed':
        endModel(event, { state: 'failed', error: event.error });
        status = 'failed';
        return;
      case 'run-cancelled':
        endModel(event, { state: 'cancelled' });
        status = 'idle';
        return;
      default:
        applyToCalls(event);
    }
  }

  return {
    apply,
    read: (chatId: ChatId): Timeline => ({ chatId, status, turns, spans, summary: summarize(spans) }),
  };
}

function turnOf(
  turn: number,
  { at, by }: EventOf<'run-started'>,
  message: EventOf<'message-received'> | undefined,
): TimelineTurn {
  const parts = message?.parts ?? [];
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  return { turn, startedAt: at, by, text };
}
