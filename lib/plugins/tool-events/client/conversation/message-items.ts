import { type InlineItem, inlineItems } from '../index.ts';
import type { AskedApproval, ToolEventsMessage } from './tool-events-state.ts';

/** One thing in a message: a text, an invocation where it was made, the open question where it was asked. */
export type ToolEventsItem = InlineItem | { readonly type: 'approval'; readonly approval: AskedApproval };

/**
 * A message's content in the order in which it came.
 *
 * @param asked the open question, if this message asks it
 * @source A19, A25
 */
export function messageItems(
  { content, invocations }: Pick<ToolEventsMessage, 'content' | 'invocations'>,
  asked?: AskedApproval & { readonly after: number },
): ToolEventsItem[] {
  if (!asked) return inlineItems(content, invocations);
  const { after, ...approval } = asked;
  return [
    ...inlineItems(content.slice(0, after), invocations),
    { type: 'approval', approval },
    ...inlineItems(content.slice(after), invocations),
  ];
}
