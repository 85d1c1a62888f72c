import { visibleText } from './visible-text.ts';

/** Scripts that are written from right to left. */
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * A sentence with the values of a call in it, as pieces to show: every second one is to be isolated. If part of it is written
 * from right to left, these are the values: otherwise a name could change the order of what follows it, and an amount could
 * appear before the payee.
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
