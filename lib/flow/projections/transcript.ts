import type { ModelMessage, ToolContent, UserContent } from 'ai';
import type { FlowEvent, MessageId, ModelOutput, UserPart } from '../../vocabulary/index.ts';
import { unknownOutcomePrefix } from '../execute-call.ts';
import { applyToTurn, type Call, type CallEnd, emptyTurn, type Turn } from '../turn.ts';

/** A message of the chat: the person's, or a turn's answer, which may be more than one to the model. */
type Entry = {
  readonly role: 'user' | 'assistant';
  messageId: MessageId | undefined;
  /** How many messages the model is told before it. */
  readonly place: number;
};

/**
 * What the model is told: the chat as model messages, made of the SDK's own response messages and of the
 * recorded ends of calls; never of deltas, and never of anything a client sent but its user messages.
 *
 * Fed event by event and kept per chat, so a model step costs the new events and one copy of a list. Of a turn that is
 * over nothing is kept but its messages.
 *
 * @source DESIGN, "Chats grow"; T12
 */
export function createTranscript() {
  const entries: Entry[] = [];
  /** Of everything but the open turn, whose messages still change. */
  const settled: ModelMessage[] = [];
  let open: { readonly entry: Entry; readonly turn: Turn } | undefined;
  const callIds = new Set<string>();
  let seq = 0;

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
    if (open) settled.push(...turnMessages(open.turn));
    open = undefined;
  }

  return {
    /** `seq` of the last event applied. */
    get seq() {
      return seq;
    },

    apply(event: FlowEvent): void {
      seq = event.seq;
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
          const cut = entries[index];
          if (!cut) return;
          entries.length = index;
          settled.length = cut.place;
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

    /** All messages, oldest first. Every call has a result, as the SDK demands. */
    messages(): ModelMessage[] {
      return open ? [...settled, ...turnMessages(open.turn)] : [...settled];
    },
  };
}

/** @see createTranscript */
export type Transcript = ReturnType<typeof createTranscript>;

function userMessage(parts: readonly UserPart[]): ModelMessage {
  const content: UserContent = parts.map((part) =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'file', data: part.url, mediaType: part.mediaType, filename: part.filename },
  );
  return { role: 'user', content };
}

function turnMessages(turn: Turn): ModelMessage[] {
  const calls = [...turn.calls.values()];
  return turn.steps.flatMap(({ step, finished }) => {
    if (!finished) return [];
    const content = calls.filter((call) => call.step === step).flatMap(toolContent);
    return content.length > 0
      ? [...finished.messages, { role: 'tool' as const, content }]
      : [...finished.messages];
  });
}

/** A provider's call is settled in the provider's own form; ours by the recorded end. @source T14 */
function toolContent(call: Call): ToolContent {
  const { requested, answered, withdrawn, end } = call;
  const { gate, executor, toolCallId, toolName } = requested;
  if (executor === 'provider') {
    if (gate.type !== 'ask' || gate.providerApprovalId === undefined || !(answered || withdrawn || end))
      return [];
    return [
      {
        type: 'tool-approval-response',
        approvalId: gate.providerApprovalId,
        approved: answered?.approved === true && mayStillRun(end),
        reason: answered?.reason ?? withdrawn?.reason,
        providerExecuted: true,
      },
    ];
  }
  if (!end) return [];
  return [{ type: 'tool-result', toolCallId, toolName, output: toldOutput(call, end) }];
}

/**
 * A provider runs what it finds approved and has not run yet. So an approval that came to nothing, or to nobody
 * knows what, is taken back: later messages of the chat must not start the call.
 */
function mayStillRun(end: CallEnd | undefined): boolean {
  if (end?.type === 'tool-failed') return !end.error.startsWith(unknownOutcomePrefix);
  return end?.type !== 'tool-cancelled';
}

/** Providers pass on a denial's reason alone, which would read like the tool's own result. @source T8 */
function toldOutput({ withdrawn }: Call, { modelOutput }: CallEnd): ModelOutput {
  if (modelOutput.type !== 'execution-denied' || modelOutput.reason === undefined || withdrawn) {
    return modelOutput;
  }
  return { ...modelOutput, reason: `This call was denied: ${modelOutput.reason}` };
}
