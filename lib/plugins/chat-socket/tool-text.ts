import type { JsonValue } from '../../protocol/json.ts';
import { runtime } from '../../runtime/runtime.ts';

/** A text that may have been cut. Lengths in bytes of UTF-8. */
export type CutText = { readonly text: string; readonly originalLength?: number };

/**
 * A value as a text that is never empty: a string as it is, another value as JSON. What tools return is recorded as JSON,
 * so nothing is converted here.
 *
 * @source D5, D9
 */
export function toolText(value: JsonValue): string {
  return typeof value === 'string' && value !== '' ? value : toolInputText(value);
}

/** The arguments of a call as JSON. @source D5 */
export function toolInputText(input: JsonValue): string {
  return JSON.stringify(input);
}

/** Cuts a text to so many bytes, between characters. @source D19 */
export function cutText(text: string, maxBytes: number): CutText {
  // A code unit takes three bytes at most, so most texts need no counting.
  if (text.length * 3 <= maxBytes) return { text };
  const length = runtime.utf8Length(text);
  if (length <= maxBytes) return { text };
  const { read } = new TextEncoder().encodeInto(text.slice(0, maxBytes), new Uint8Array(maxBytes));
  return { text: text.slice(0, read), originalLength: length };
}
