import { type DraftJson, draftSchema } from '../../protocol/wire/draft.ts';

type Block = { readonly textId: string; readonly text: string };

/**
 * The answer while it grows. `earlier` is what former responses of the turn (or the stored chat) showed, `blocks` what
 * the current response has brought.
 */
export type Draft = { readonly earlier: string; readonly blocks: readonly Block[] };

/** Nothing written yet. */
export const emptyDraft: Draft = { earlier: '', blocks: [] };

/** Reads the data of a `data-draft` part; `undefined` when it is something else. @source S3, T6 */
export function parseDraftDelta(data: unknown): DraftJson | undefined {
  return draftSchema.safeParse(data).data;
}

/** Adds one delta to its block, a new one when the text id is new. */
export function withDelta(draft: Draft, { textId, delta }: DraftJson): Draft {
  const known = draft.blocks.some((block) => block.textId === textId);
  const blocks = known
    ? draft.blocks.map((block) => (block.textId === textId ? { ...block, text: block.text + delta } : block))
    : [...draft.blocks, { textId, text: delta }];
  return { ...draft, blocks };
}

/** A new response of the same turn begins: it may send the draft again from the turn's start. @source H2 */
export function nextResponse(draft: Draft): Draft {
  return { earlier: draftText(draft), blocks: [] };
}

/**
 * The draft as Markdown. A replay grows behind the text already shown, so that text stays until the replay has
 * overtaken it: the reader sees no jump.
 */
export function draftText({ earlier, blocks }: Draft): string {
  const current = blocks
    .map((block) => block.text)
    .filter((text) => text.trim() !== '')
    .join('\n\n');
  if (isBeginningOf(earlier, current)) return current;
  if (isBeginningOf(current, earlier)) return earlier;
  return `${earlier}\n\n${current}`;
}

/**
 * The draft as long as it says more than what is released. It stays until the released text has caught up with it, so
 * that the words never jump.
 *
 * @param released the text of the message
 */
export function unreleased(draft: string, released: string): string {
  return isBeginningOf(released, draft) && !isBeginningOf(draft, released) ? draft : '';
}

/** Whether `text` starts with `beginning`, white space aside: blocks are joined differently by the server. */
export function isBeginningOf(beginning: string, text: string): boolean {
  return solid(text).startsWith(solid(beginning));
}

function solid(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
