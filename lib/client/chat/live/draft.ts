import type { UIMessage } from 'ai';
import type { DraftJson } from '../../../protocol/wire/chat/draft.ts';
import { positionOf } from '../message-parts.ts';

/** A text while it grows. `position`: its place among the parts of its message; absent if the server does not say. */
export type DraftText = Pick<DraftJson, 'textId' | 'position'> & {
  /** What to show. */
  readonly text: string;
  /** The part that the current response has sent. */
  readonly brought: string;
};

/** The texts of a turn that are not released yet, in the order in which they were begun. */
export type Draft = readonly DraftText[];

/**
 * Adds one delta to its text, or begins a new text if the id is new. When a text restarts, the part that is
 * already shown stays until the new text is longer, so that nothing jumps. A reset drops the text.
 *
 * @source S3, H2
 */
export function withDelta(draft: Draft, { textId, delta, position, reset }: DraftJson): Draft {
  if (reset) return draft.filter((text) => text.textId !== textId);
  const known = draft.find((text) => text.textId === textId);
  const begun = position === undefined || delta === '' ? known : undefined;
  const brought = (begun?.brought ?? '') + delta;
  const text = known?.text.startsWith(brought) ? known.text : brought;
  const grown = { textId, position: position ?? known?.position, brought, text };
  return known ? draft.map((one) => (one === known ? grown : one)) : [...draft, grown];
}

/** A new response of the same turn begins: it may send the draft again from the turn's start. @source H2 */
export function nextResponse(draft: Draft): Draft {
  return draft.map((text) => ({ ...text, brought: '' }));
}

/** The texts that the message does not have yet. Each stays until its message part is as long. */
export function unreleased(draft: Draft, message: UIMessage | undefined): Draft {
  return draft.filter(
    ({ text, position }) =>
      text.trim() !== '' &&
      !message?.parts.some(
        (part) => part.type === 'text' && positionOf(part) === position && part.text.startsWith(text),
      ),
  );
}
