import { isToolUIPart } from 'ai';
import type { ChatMessage, ChatPart, OpenPart } from './chat-message.ts';
import { isOpenPart } from './chat-message.ts';
import type { LiveParts } from './live-parts.ts';
import type { CallView } from './tool-call.ts';
import { callOfPart, callOfReport } from './tool-call.ts';

/** One thing to show of an answer. `key` stays the same while a call turns from report to part. */
export type MessageItem =
  | { type: 'text' | 'reasoning'; key: string; text: string }
  | { type: 'call'; key: string; call: CallView }
  | { type: 'question'; key: string; call: CallView; part: OpenPart };

/**
 * What to show of a message, in reading order.
 *
 * @param live reports about its calls
 * @param isLast the chat's last message: only its question can still be answered
 * @param isRunning its turn goes on: calls that no part shows yet are shown by their reports (T6)
 * @param isSettled whether calls may be put before the words they came after (see `inReadingOrder`)
 */
export function itemsOf(
  message: ChatMessage,
  live: LiveParts,
  { isLast, isRunning, isSettled }: { isLast: boolean; isRunning: boolean; isSettled: boolean },
): readonly MessageItem[] {
  const parts = isSettled ? inReadingOrder(message.parts) : message.parts;
  const shown = parts.flatMap((part, index) => itemOf(part, index, live, isLast));
  return isRunning ? [...shown, ...unshownCalls(message, live)] : shown;
}

/**
 * Calls before words: when a turn is released, its words come first and the calls nobody was asked about come
 * after them (T3). While it ran, those calls were already shown above the draft; they stay there.
 */
function inReadingOrder(parts: readonly ChatPart[]): readonly ChatPart[] {
  const begin = parts.findLastIndex((part) => part.type === 'step-start') + 1;
  const step = parts.slice(begin);
  const calls = step.filter(isToolUIPart);
  if (calls.some(isOpenPart)) return parts;
  return [...parts.slice(0, begin), ...calls, ...step.filter((part) => !isToolUIPart(part))];
}

function itemOf(part: ChatPart, index: number, live: LiveParts, isLast: boolean): readonly MessageItem[] {
  if (part.type === 'text' || part.type === 'reasoning') {
    return part.text.trim() === ''
      ? []
      : [{ type: part.type, key: `${part.type}-${index}`, text: part.text }];
  }
  if (!isToolUIPart(part)) return [];
  const key = part.toolCallId;
  const call = callOfPart(part, live.reports.get(key));
  if (!isOpenPart(part)) return [{ type: 'call', key, call }];
  return [
    isLast ? { type: 'question', key, call, part } : { type: 'call', key, call: superseded(call, part) },
  ];
}

function superseded(call: CallView, part: OpenPart): CallView {
  return {
    ...call,
    state: 'withdrawn',
    approval: { id: part.approval.id, approved: false, reason: 'superseded' },
  };
}

function unshownCalls(message: ChatMessage, live: LiveParts): readonly MessageItem[] {
  const shown = new Set(message.parts.filter(isToolUIPart).map((part) => part.toolCallId));
  return [...live.reports.values()]
    .filter(({ toolCallId, phase }) => {
      return phase !== 'requested' && !shown.has(toolCallId) && !live.past.has(toolCallId);
    })
    .map((report) => ({ type: 'call', key: report.toolCallId, call: callOfReport(report) }));
}
