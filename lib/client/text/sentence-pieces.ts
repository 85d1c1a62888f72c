import { visibleText } from './visible-text.ts';

/** Scripts that are written from right to left. */
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * Splits a sentence about a call into pieces. The direction of every second piece must be isolated. If part of the sentence is written
 * from right to left, these pieces are the values of the call. Otherwise, a name could change the order of the text after it, and an
 * amount could appear before the payee.
 */
export function sentencePieces(text: string, input: unknown): readonly string[] {
  const shown = visibleText(text);
  if (!rightToLeft.test(shown)) return [shown];
  /** The length of the longest value that begins at each place. */
  const lengths: number[] = [];
  for (const value of new Set(leavesIn(input, shown.length).map(visibleText))) {
    for (let at = shown.indexOf(value); at !== -1; at = shown.indexOf(value, at + 1)) {
      lengths[at] = Math.max(lengths[at] ?? 0, value.length);
    }
  }
  if (lengths.length === 0) return ['', shown];
  const pieces: string[] = [];
  let end = 0;
  for (let from = 0; from < lengths.length; from += 1) {
    let to = from;
    // Values that overlap are one piece.
    for (let at = from; at === from || at < to; at += 1) to = Math.max(to, at + (lengths[at] ?? 0));
    if (to === from) continue;
    pieces.push(shown.slice(end, from), shown.slice(from, to));
    end = to;
    from = to - 1;
  }
  return [...pieces, shown.slice(end)];
}

/** The values that are short enough to be in the sentence. Half a surrogate pair must not split a character of it. */
function leavesIn(value: unknown, longest: number): readonly string[] {
  if (typeof value === 'object') return Object.values(value ?? {}).flatMap((item) => leavesIn(item, longest));
  const leaf = typeof value === 'boolean' ? '' : String(value ?? '').trim();
  // As `toWellFormed`, which Firefox lacks before version 119.
  return leaf && leaf.length <= longest ? [leaf.replace(/\p{Surrogate}/gu, '\uFFFD')] : [];
}
