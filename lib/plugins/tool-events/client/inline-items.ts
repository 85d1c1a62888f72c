import type { ToolInvocation, ToolInvocations } from './reducer.ts';
import type { ContentBlock } from './schema.ts';

/** One thing in a message, as a page shows it: a text, or an invocation where it was made. */
export type InlineItem =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool'; readonly invocation: ToolInvocation };

/**
 * A message's content in order. Results are shown in their invocations, and are no items of their own.
 *
 * @param invocations of a live message from `reduceToolEvent`, of a stored one from `toolInvocationsOf`
 * @source A19
 */
export function inlineItems(blocks: readonly ContentBlock[], invocations: ToolInvocations): InlineItem[] {
  return blocks.flatMap((block): InlineItem[] => {
    if (block.type === 'text') return [{ type: 'text', text: block.text }];
    const invocation = block.type === 'tool_use' ? invocations.get(block.id) : undefined;
    return invocation ? [{ type: 'tool', invocation }] : [];
  });
}
