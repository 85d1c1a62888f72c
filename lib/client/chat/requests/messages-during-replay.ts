import { isToolUIPart, type UIMessage } from 'ai';
import type { ToolPart } from '../message-parts.ts';

const progress: Record<ToolPart['state'], number> = {
  'input-streaming': 0,
  'input-available': 1,
  'approval-requested': 2,
  'approval-responded': 3,
  'output-available': 4,
  'output-error': 4,
  'output-denied': 4,
};

/**
 * Which messages to show while a resumed response is replayed. The SDK empties the message at the first chunk of a
 * replay. Showing that would unmount a card while a person types a reason, and show answered questions as open for a
 * moment.
 *
 * @param shown what the person sees now
 * @param next what the chat holds now
 * @returns `shown` while `next` is still behind it, then `next`
 */
export function messagesDuringReplay<Message extends UIMessage>(
  shown: Message[],
  next: Message[],
): Message[] {
  const before = shown.at(-1);
  const after = next.at(-1);
  if (before === undefined || after === undefined) return next;
  if (before.role !== 'assistant' || before.id !== after.id) return next;
  return isBehind(before, after) ? shown : next;
}

function isBehind(before: UIMessage, after: UIMessage): boolean {
  if (after.parts.length < before.parts.length) return true;
  return before.parts.filter(isToolUIPart).some((call) => {
    const same = after.parts.filter(isToolUIPart).find((part) => part.toolCallId === call.toolCallId);
    return same === undefined || progress[same.state] < progress[call.state];
  });
}
