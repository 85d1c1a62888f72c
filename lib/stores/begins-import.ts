import type { Append } from '../log/store/index.ts';

/**
 * Whether a batch begins an imported chat, which stays erased once it was erased. Other chats may reuse the id of an erased
 * one.
 *
 * @source ADR 0036
 */
export function beginsImport({ after, events: [first] }: Append): boolean {
  return after === 0 && first?.type === 'chat-imported';
}
