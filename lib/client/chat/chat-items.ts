import { isToolUIPart, type UIMessage } from 'ai';
import { type CallView, callOfPart, callOfReport, callOfUnsent } from '../calls/tool-call.ts';
import type { Draft } from './live/draft.ts';
import type { KnownAnswer } from './live/known-answers.ts';
import type { LiveParts } from './live/live-parts.ts';
import { type ChatPart, isOpenPart, lastReplyIn, positionOf, type ToolPart } from './message-parts.ts';

/** One item to show in an answer. `key` stays the same while a call turns from report to part. */
export type ChatItem =
  | { readonly type: 'text' | 'reasoning' | 'draft'; readonly key: string; readonly text: string }
  | { readonly type: 'call'; readonly key: string; readonly call: CallView }
  | { readonly type: 'question'; readonly key: string; readonly call: CallView };

/** What decides how a message is shown. */
export type ItemsView = {
  /** The last message of the assistant: only its question can still be answered. */
  readonly isLast: boolean;
  /** A message that would cancel the question is being sent. Default: false. */
  readonly isCancelling?: boolean;
  /** Its turn is still running: calls that no part shows yet are shown by their reports. @source T6, T18 */
  readonly isRunning: boolean;
  /** The texts that are not released yet. */
  readonly draft: Draft;
};

type QuestionView = Required<Pick<ItemsView, 'isLast' | 'isCancelling'>>;

/** What is known about a chat's calls besides its messages. */
type CallFacts = Pick<LiveParts, 'reports' | 'answers' | 'sending'>;

/** An item and its place in the order in which the turn produced everything. */
type Placed = { readonly item: ChatItem; readonly position: number };

const atEnd = Number.MAX_VALUE;

/**
 * What to show of a message, in the order in which it was made. A `question` is a call that this chat waits for; a `draft` is
 * a text that is not released yet.
 *
 * @param live what is known about its calls besides the message
 */
export function itemsOf(
  message: UIMessage,
  live: CallFacts & Pick<LiveParts, 'past'>,
  { isLast, isCancelling = false, isRunning, draft }: ItemsView,
): readonly ChatItem[] {
  const placed: Placed[] = [
    ...partItems(message.parts, live, { isLast, isCancelling }),
    ...(isRunning ? unshownCalls(message, live) : []),
    ...draft.map(({ textId, text, position = atEnd }) => ({
      position,
      item: { type: 'draft', key: `draft-${textId}`, text } as const,
    })),
  ];
  return placed.sort((one, other) => one.position - other.position).map(({ item }) => item);
}

/**
 * A `final` turn sends its text before the calls without a question (T3), and includes the position
 * of each. A part without a position stays after the one before it.
 */
function partItems(parts: readonly ChatPart[], live: CallFacts, view: QuestionView): Placed[] {
  let position = 0;
  return parts.flatMap((part, index) => {
    position = positionOf(part) ?? position;
    return itemOf(part, index, live, view).map((item) => ({ item, position }));
  });
}

function itemOf(
  part: ChatPart,
  index: number,
  live: CallFacts,
  { isLast, isCancelling }: QuestionView,
): readonly ChatItem[] {
  if (part.type === 'text' || part.type === 'reasoning') {
    return part.text.trim() === ''
      ? []
      : [{ type: part.type, key: `${part.type}-${index}`, text: part.text }];
  }
  if (!isToolUIPart(part)) return [];
  const call = viewOf(part, live, isLast);
  const isOpen = isLast && !isCancelling && isOpenPart(part);
  return [{ type: isOpen ? 'question' : 'call', key: part.toolCallId, call }];
}

/** Each call of a chat, by its tool call id: from its messages, and from reports alone. */
export function callsOf(messages: readonly UIMessage[], live: CallFacts): ReadonlyMap<string, CallView> {
  const calls = new Map([...live.reports].map(([id, report]) => [id, callOfReport(report)]));
  const reply = lastReplyIn(messages);
  for (const message of messages) {
    for (const part of message.parts) {
      if (isToolUIPart(part)) calls.set(part.toolCallId, viewOf(part, live, message === reply));
    }
  }
  return calls;
}

/**
 * A question of an earlier message is no longer open, whatever its part contains. If a part has a different
 * answer from the one that is being sent, it came from the server, and was first.
 */
function viewOf(part: ToolPart, { reports, answers, sending }: CallFacts, isLast: boolean): CallView {
  const unsent = part.state === 'approval-responded' && sending.get(part.approval.id);
  if (unsent && unsent.approved === part.approval?.approved) return callOfUnsent(part, unsent);
  const answer = answers.get(part.approval?.id ?? '');
  const call = callOfPart(asAnswered(part, answer), reports.get(part.toolCallId), answer);
  if (isLast || !isOpenPart(part)) return call;
  return {
    ...call,
    state: 'withdrawn',
    approval: { id: part.approval.id, approved: false, withdrawn: 'superseded' },
  };
}

/** Another answer was first, but the message still contains this page's answer. The one in the log counts. */
function asAnswered(part: ToolPart, answer: KnownAnswer | undefined): ToolPart {
  if (part.state !== 'approval-responded' || !answer || answer.approved === part.approval.approved)
    return part;
  const { approved, reason } = answer;
  return { ...part, approval: { ...part.approval, approved, reason } };
}

function unshownCalls(message: UIMessage, { reports, past }: Pick<LiveParts, 'reports' | 'past'>): Placed[] {
  const shown = new Set(message.parts.filter(isToolUIPart).map((part) => part.toolCallId));
  return [...reports.values()]
    .filter(
      ({ toolCallId, phase, delta }) =>
        (phase !== 'requested' || delta !== undefined) && !shown.has(toolCallId) && !past.has(toolCallId),
    )
    .map((report) => ({
      position: report.position ?? atEnd,
      item: { type: 'call', key: report.toolCallId, call: callOfReport(report) },
    }));
}
