import { z } from 'zod';

const deltaSchema = z.object({ textId: z.string(), delta: z.string() });

type Block = { textId: string; text: string };

/**
 * The answer while it grows. `earlier` is what former responses of the turn (or the stored chat) showed,
 * `blocks` what the current response has brought.
 */
export type Draft = { earlier: string; blocks: readonly Block[] };

/** Nothing written yet. */
export const emptyDraft: Draft = { earlier: '', blocks: [] };

/** Reads the data of a `data-draft` part. @source contract S, T6 */
export function parseDraftDelta(data: unknown): { textId: string; delta: string } | undefined {
  return deltaSchema.safeParse(data).data;
}

/** Adds one delta to its block, a new one when the text id is new. */
export function withDelta(draft: Draft, { textId, delta }: { textId: string; delta: string }): Draft {
  const known = draft.blocks.some((block) => block.textId === textId);
  const blocks = known
    ? draft.blocks.map((block) => (block.textId === textId ? { ...block, text: block.text + delta } : block))
    : [...draft.blocks, { textId, text: delta }];
  return { ...draft, blocks };
}

/** A new response of the same turn begins: it may send the draft again from the turn's start (H2). */
export function nextResponse(draft: Draft): Draft {
  return { earlier: draftText(draft), blocks: [] };
}

/**
 * The draft as Markdown. A replay grows behind the text already shown, so that text stays until the replay
 * has overtaken it: the reader sees no jump.
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

/** Whether `text` starts with `beginning`, white space aside (blocks are joined differently by the server). */
export function isBeginningOf(beginning: string, text: string): boolean {
  return solid(text).startsWith(solid(beginning));
}

function solid(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
