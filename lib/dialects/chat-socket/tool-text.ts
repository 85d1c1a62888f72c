import { toJson } from '../../protocol/json.ts';

/** A text that may have been cut. Lengths in bytes of UTF-8. */
export type CutText = { readonly text: string; readonly originalLength?: number };

/**
 * Any value as a text that is never empty: a string as it is, another value as JSON. Never throws.
 *
 * @source D5, D9
 */
export function toolText(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : value;
  return JSON.stringify(toJson(value));
}

/** The arguments of a call as JSON. @source D5 */
export function toolInputText(input: unknown): string {
  return JSON.stringify(toJson(input));
}

/** Cuts a text to so many bytes, between characters. @source D19 */
export function cutText(text: string, maxBytes: number): CutText {
  // A code unit takes three bytes at most, so most texts need no counting.
  if (text.length * 3 <= maxBytes) return { text };
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= maxBytes) return { text };
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return { text: text.slice(0, read), originalLength: bytes.length };
}
