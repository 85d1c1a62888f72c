import type { ModelMessage } from 'ai';
import { applyToTurn, copyTurn } from '../log/turn/fold-turn.ts';
import { isUnknown } from '../log/turn/status-fields.ts';
import { calls, emptyTurn, type Turn } from '../log/turn/turn.ts';
import type { EventOf, FlowEvent, MessageId, ModelOutput, RunId, ToolCallId } from '../protocol/index.ts';
import { approvalNote, withApproval } from './approved-output.ts';
import { stepMessages, turnMessages, userMessage } from './model-messages.ts';

/** A message of the chat: the person's, or a turn's answer, which may be more than one to the model. */
type Entry = {
  readonly role: 'user' | 'assistant';
  messageId: MessageId | undefined;
  /** How many messages the model gets before it. */
  readonly place: number;
};

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
  const entries: Entry[] = [];
  /** The messages of all turns except the open one, whose messages still change. */
  const settled: ModelMessage[] = [];
  /** Where the steps of `settled` end: the `seq` of each one's event, and how many messages there are then. */
  const stepEnds: { readonly seq: number; readonly place: number }[] = [];
  let open: { readonly entry: Entry; readonly turn: Turn } | undefined;
  const callIds = new Set<string>();
  /** Calls whose outcome was reported by the process that ran them. Nothing outranks that. */
  const reported = new Set<ToolCallId>();
  /** Of finished turns: what a person said with an approval whose call has an outcome that may still become known. */
  const approvals = new Map<ToolCallId, EventOf<'approval-answered'>>();
  let seq = 0;
  let firstRunId: RunId | undefined;

  function openTurn(): Turn {
    if (!open) {
      open = {
        entry: { role: 'assistant', messageId: undefined, place: settled.length },
        turn: emptyTurn(),
      };
      entries.push(open.entry);
    }
    return open.turn;
  }

  function closeTurn(): void {
    for (const call of open ? calls(open.turn) : []) {
      const mayChange = call.end && (call.resolved || isUnknown(call.end));
      if (mayChange && call.answered && approvalNote(call) !== undefined) {
        approvals.set(call.requested.toolCallId, call.answered);
      }
    }
    for (const { seq: stepSeq, messages } of open ? stepMessages(open.turn) : []) {
      settled.push(...messages);
      stepEnds.push({ seq: stepSeq, place: settled.length });
    }
    open = undefined;
  }

  /** The open turn, with what follows it. */
  function turnWith(pending: readonly FlowEvent[]): Turn {
    const turn = open?.turn ?? emptyTurn();
    const news = pending.filter((event) => event.seq > seq);
    if (news[0]?.seq !== seq + 1) return turn;
    const draft = copyTurn(turn);
    for (const event of news) applyToTurn(draft, event);
    return draft;
  }

  function cut(place: number): void {
    settled.length = place;
    while ((stepEnds.at(-1)?.place ?? 0) > place) stepEnds.pop();
  }

  /** The call may be of any turn. Of finished turns only the messages are kept. */
  function resolve(event: EventOf<'outcome-resolved'>): void {
    const { toolCallId, source, modelOutput } = event;
    if (reported.has(toolCallId)) return;
    if (source === 'late') reported.add(toolCallId);
    const call = open?.turn.calls.get(toolCallId);
    if (open && call) applyToTurn(open.turn, event);
    // The messages of a kept call precede those of the turn that keeps it.
    if (!call || call.kept) {
      const answered = approvals.get(toolCallId);
      replaceResult(settled, toolCallId, answered ? withApproval({ answered }, modelOutput) : modelOutput);
    }
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
      switch (event.type) {
        case 'message-received': {
          closeTurn();
          const { messageId, parts } = event;
          entries.push({ role: 'user', messageId, place: settled.length });
          settled.push(userMessage(parts));
          return;
        }
        case 'history-cut': {
          closeTurn();
          const index = entries.findIndex((entry) => entry.messageId === event.messageId);
          const entry = entries[index];
          if (!entry) return;
          entries.length = index;
          const kept = stepEnds.findLast(({ seq: stepSeq }) => stepSeq === event.kept?.through);
          cut(Math.max(entry.place, kept?.place ?? 0));
          return;
        }
        case 'tool-requested':
          callIds.add(event.toolCallId);
          applyToTurn(openTurn(), event);
          return;
        case 'text-delta':
        case 'reasoning-delta':
        case 'source-added':
          return;
        case 'run-started':
          applyToTurn(openTurn(), event);
          if (open) open.entry.messageId = event.messageId;
          return;
        case 'approval-bound':
          return;
        case 'outcome-resolved':
          resolve(event);
          return;
        default:
          applyToTurn(openTurn(), event);
      }
    },

    /** True when the chat has this tool call id already: clients match parts by id, so it is not used twice. */
    hasCall: (id: string) => callIds.has(id),

    /** The message that follows a user message, if there is one. */
    answerTo(messageId: MessageId): MessageId | undefined {
      const index = entries.findIndex((entry) => entry.messageId === messageId);
      return index === -1 ? undefined : entries[index + 1]?.messageId;
    },

    /** The user message with this id, or the last one before the message with this id. */
    userMessageFor(messageId: MessageId | undefined): MessageId | undefined {
      const index =
        messageId === undefined ? entries.length - 1 : entries.findIndex((e) => e.messageId === messageId);
      return entries.slice(0, index + 1).findLast(({ role }) => role === 'user')?.messageId;
    },

    hasMessage: (messageId: MessageId) => entries.some((entry) => entry.messageId === messageId),

    /**
     * All messages, oldest first. Every call has a result, as the SDK demands.
     *
     * @param pending events of a run that are not yet durable. They are included and not kept. Ignored if they do not
     *   follow the events that are known here
     */
    messages(pending: readonly FlowEvent[] = []): ModelMessage[] {
      return [...settled, ...turnMessages(turnWith(pending))];
    },

    /** The model's input before a step of the open turn. @see messages */
    messagesBefore(step: number, pending: readonly FlowEvent[] = []): ModelMessage[] {
      return [...settled, ...turnMessages(turnWith(pending), step)];
    },
  };
}

/** @see createTranscript */
export type Transcript = ReturnType<typeof createTranscript>;

/** Prompts that were made before keep their messages, so those that change are copied. */
function replaceResult(messages: ModelMessage[], toolCallId: ToolCallId, output: ModelOutput): void {
  const holds = (message: ModelMessage) =>
    message.role === 'tool' &&
    message.content.some((part) => part.type === 'tool-result' && part.toolCallId === toolCallId);
  const index = messages.findLastIndex(holds);
  const message = messages[index];
  if (message?.role !== 'tool') return;
  const content = message.content.map((part) =>
    part.type === 'tool-result' && part.toolCallId === toolCallId ? { ...part, output } : part,
  );
  messages[index] = { ...message, content };
}
