import { reusedMessageId } from '../../dialects/begin-turn.ts';
import { brokenOffText } from '../../dialects/turn-text.ts';
import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import {
  type ApprovalId,
  type ChatId,
  CountersignError,
  type EventOf,
  type FlowEvent,
  isRunEnd,
  type MessageId,
  type Principal,
} from '../../protocol/index.ts';
import type { FlowStream } from '../../views/flow-stream.ts';

/** What a projection must know of a turn that is read again from its start. */
export type Replay = {
  /** The `seq` of the start of the last run that no question suspended. Earlier ends of runs did not end the turn. */
  readonly lastRun: number;
  /** The `seq` of text that no longer counts. */
  readonly brokenOff: ReadonlySet<number>;
  /** Questions that no longer wait for an answer. */
  readonly settled: ReadonlySet<ApprovalId>;
};

/** Names a turn of a chat: by its message, by the user's message, or, without either, the last one. */
export type TurnName = {
  readonly chatId: ChatId;
  readonly messageId?: string | undefined;
  readonly clientMessage?: { readonly id: string; readonly text: string };
};

/**
 * Opens a turn from its first frame, ended or not.
 *
 * @throws CountersignError `not-found`; `input-mismatch` if the user's message has another text
 * @source D15
 */
export async function resumeTurn(
  flow: ApprovalFlow,
  principal: Principal,
  name: TurnName,
): Promise<{ stream: FlowStream; messageId: MessageId; replay: Replay }> {
  const { chatId } = name;
  const log = await flow.chats.timeline({ principal, chatId });
  const turn = turnsOf(log).findLast((events) => isNamed(events, name));
  const first = turn?.find(isStart);
  const last = turn && lastStart(turn);
  const stream = last && (await flow.chats.follow({ chatId, principal, runId: last.runId, until: 'turn' }));
  if (!first || !stream)
    throw new CountersignError('not-found', 'There is no such message to resume.', { chatId });
  return {
    // The events begin with the turn. What this stream sends begins with its first run.
    stream: { ...stream, view: { ...stream.view, emitFrom: first.seq } },
    messageId: first.messageId,
    replay: { lastRun: last.seq, brokenOff: brokenOffText(log), settled: settledQuestions(log) },
  };
}

function settledQuestions(log: readonly FlowEvent[]): ReadonlySet<ApprovalId> {
  return new Set(
    log.flatMap((event) =>
      event.type === 'approval-answered' || event.type === 'approval-withdrawn' ? [event.approvalId] : [],
    ),
  );
}

/** The events of each turn that has begun to run. */
function turnsOf(log: readonly FlowEvent[]): FlowEvent[][] {
  const turns: FlowEvent[][] = [];
  for (const event of log) {
    if (event.type === 'message-received' || event.type === 'history-cut') turns.push([]);
    turns.at(-1)?.push(event);
  }
  return turns.filter((events) => events.some(isStart));
}

function isNamed(events: readonly FlowEvent[], { messageId, clientMessage }: TurnName): boolean {
  if (messageId !== undefined) return events.some((event) => isStart(event) && event.messageId === messageId);
  if (clientMessage === undefined) return true;
  const received = events.find((event) => event.type === 'message-received');
  if (received?.messageId !== clientMessage.id) return false;
  const text = received.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  if (text === clientMessage.text) return true;
  throw reusedMessageId(clientMessage.id);
}

function isStart(event: FlowEvent): event is EventOf<'run-started'> {
  return event.type === 'run-started';
}

/** The start of the last run that no question suspended: from there, the next end is that of the turn. */
function lastStart(turn: readonly FlowEvent[]): EventOf<'run-started'> | undefined {
  let start: EventOf<'run-started'> | undefined;
  let hasEnded = true;
  for (const event of turn) {
    if (isStart(event) && hasEnded) {
      start = event;
      hasEnded = false;
    }
    hasEnded ||= isRunEnd(event) && event.type !== 'run-suspended';
  }
  return start;
}
