import { type DraftJson, draftSchema } from '../../protocol/wire/draft.ts';

/**
 * The answer while it grows. `earlier` is what former responses of the turn (or the stored chat) showed, `blocks` what
 * the current response has brought, by text id.
 */
export type Draft = { readonly earlier: string; readonly blocks: ReadonlyMap<string, string> };

/** Nothing written yet. */
export const emptyDraft: Draft = { earlier: '', blocks: new Map() };

/** Reads the data of a `data-draft` part; `undefined` when it is something else. @source S3, T6 */
export function parseDraftDelta(data: unknown): DraftJson | undefined {
  return draftSchema.safeParse(data).data;
}

/**
 * Adds one delta to its block, a new one when the text id is new. A reset drops the block, and what was shown before this
 * response: it may contain the block, and the response has sent the rest again.
 */
export function withDelta({ earlier, blocks }: Draft, { textId, delta, reset }: DraftJson): Draft {
  const text = reset ? delta : (blocks.get(textId) ?? '') + delta;
  return { earlier: reset ? '' : earlier, blocks: new Map(blocks).set(textId, text) };
}

/** A new response of the same turn begins: it may send the draft again from the turn's start. @source H2 */
export function nextResponse(draft: Draft): Draft {
  return { ...emptyDraft, earlier: draftText(draft) };
}

/**
 * The draft as Markdown. A replay grows behind the text already shown, so that text stays until the replay has
 * overtaken it: the reader sees no jump.
 */
export function draftText({ earlier, blocks }: Draft): string {
  const current = [...blocks.values()].filter((text) => text.trim()).join('\n\n');
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
