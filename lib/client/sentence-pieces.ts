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
  const values = leavesOf(input)
    .map(visibleText)
    .sort((a, b) => b.length - a.length);
  const pattern = values.map((value) => value.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  return pattern === '' ? ['', shown] : shown.split(new RegExp(`(${pattern})`, 'u'));
}

function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'object') return Object.values(value ?? {}).flatMap(leavesOf);
  const leaf = typeof value === 'boolean' ? '' : String(value ?? '').trim();
  return leaf ? [leaf] : [];
}
