import type { ModelMessage } from 'ai';
import { kernelEvents } from '../log/events/event-table.ts';
import type { FlowEvent, RunId } from '../protocol/index.ts';
import { createChatMessages } from './chat-messages.ts';
import { createMessageOrder, type MessageEntry } from './message-order.ts';

/**
 * The model's input: the chat as model messages, built from the SDK's own response messages and the recorded ends of
 * calls. Never from deltas, and of what clients sent only from user messages.
 *
 * Fed with durable events only, one by one, and kept per chat, so a model step costs the new events and one copy of a
 * list. Only the messages of finished turns are kept.
 *
 * @source ADR 0001, T12
 */
export function createTranscript() {
  const order = createMessageOrder();
  const messages = createChatMessages();
  /** The entry of the open turn. */
  let answer: MessageEntry | undefined;
  const callIds = new Set<string>();
  let seq = 0;
  let firstRunId: RunId | undefined;

  function closeTurn(): void {
    messages.closeTurn();
    answer = undefined;
  }

  function applyToOpenTurn(event: FlowEvent): void {
    answer ??= order.add({ role: 'assistant', messageId: undefined, place: messages.finishedCount });
    if (event.type === 'run-started') answer.messageId = event.messageId;
    if (event.type === 'tool-requested') callIds.add(event.toolCallId);
    messages.applyToOpenTurn(event);
  }

  return {
    /** `seq` of the last event applied. */
    get seq() {
      return seq;
    },

    /** The run that began the chat: a random value that is as old as the chat. */
    get firstRunId() {
      return firstRunId;
    },

    apply(event: FlowEvent): void {
      seq = event.seq;
      firstRunId ??= event.runId;
      const row = kernelEvents.get(event.type);
      if (!row || row.isForReaders) return;
      switch (event.type) {
        case 'message-received':
          closeTurn();
          order.add({
            role: 'user',
            messageId: event.messageId,
            place: messages.finishedCount,
            parts: event.parts,
          });
          messages.addUser(event.parts);
          return;
        case 'history-cut': {
          closeTurn();
          const entry = order.cut(event.messageId);
          if (entry) messages.cut(entry.place, event.kept?.through);
          return;
        }
        case 'chat-imported':
          return;
        case 'message-imported':
          order.add({
            role: event.message.role === 'user' ? 'user' : 'assistant',
            messageId: event.messageId,
            place: messages.finishedCount,
            parts: event.message.role === 'user' ? event.message.parts : undefined,
          });
          messages.addImported(event.modelMessages);
          for (const part of event.message.parts) if ('toolCallId' in part) callIds.add(part.toolCallId);
          return;
        case 'outcome-resolved':
          messages.resolve(event);
          return;
        default:
          applyToOpenTurn(event);
      }
    },

    /** True when the chat has this tool call id already: clients match parts by id, so it is not used twice. */
    hasCall: (id: string) => callIds.has(id),

    hasMessage: order.has,
    hasOtherContent: order.hasOtherContent,
    answerTo: order.answerTo,
    userMessageFor: order.userMessageFor,

    /**
     * All messages, oldest first. Every call has a result, as the SDK demands.
     *
     * @param pending events of a run that are not yet durable. They are included and not kept. Ignored if they do not
     *   follow the events that are known here
     */
    messages: (pending: readonly FlowEvent[] = []): ModelMessage[] => messages.with(newsAfter(seq, pending)),

    /** The model's input before a step of the open turn. @see messages */
    messagesBefore: (step: number, pending: readonly FlowEvent[] = []): ModelMessage[] =>
      messages.with(newsAfter(seq, pending), step),
  };
}

/** Those of a run's events that follow the one at `seq`; none if there is a gap. */
function newsAfter(seq: number, pending: readonly FlowEvent[]): readonly FlowEvent[] {
  const news = pending.filter((event) => event.seq > seq);
  return news[0]?.seq === seq + 1 ? news : [];
}

export type Transcript = ReturnType<typeof createTranscript>;
