import type { EventOf } from '../../../protocol/index.ts';
import { formatItemId } from '../ids.ts';
import type { CallSettings } from './call-items.ts';
import type { Output } from './output.ts';
import { textBlock } from './prose.ts';

/**
 * A question as a message, for clients that show no approval requests: what waits, and where to answer it. The id of the
 * question is in it, so that the text is recognised when the client sends it back.
 *
 * @source ADR 0014.11
 */
export function tellQuestion(
  output: Output,
  { approvalId, description, seq }: EventOf<'approval-requested'>,
  { chatId, asksAt }: CallSettings & { readonly asksAt: string },
): void {
  const block = textBlock(output, formatItemId('message', chatId, seq), approvalId);
  block.grow(
    `Waiting for approval: ${description}\n\n` +
      `It has not run. Approve or deny it at ${asksAt} (chat ${chatId}, question ${approvalId}). ` +
      'Then write again to continue.',
  );
  block.end('completed');
}
