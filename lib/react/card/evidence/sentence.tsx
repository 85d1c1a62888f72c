import { visibleText } from '../../../client/visible-text.ts';
import { isRecord } from '../../../protocol/json.ts';

/** Scripts that are written from right to left. */
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * A sentence with the values of a call in it. If part of it is written from right to left, each value is isolated: otherwise
 * a name could change the order of what follows it, and an amount could appear before the payee.
 */
export function Sentence({ text, input }: { text: string; input: unknown }) {
  const shown = visibleText(text);
  if (!rightToLeft.test(shown)) return shown;
  const values = [...new Set(leavesOf(input).map(visibleText))].sort((a, b) => b.length - a.length);
  const pattern = values.map((value) => value.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  if (pattern === '') return <bdi>{shown}</bdi>;
  return shown
    .split(new RegExp(`(${pattern})`, 'u'))
    .map((piece, index) => (index % 2 === 1 ? <bdi key={placeKey(index)}>{piece}</bdi> : piece));
}

function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
  if (typeof value === 'number') return [String(value)];
  return Array.isArray(value) || isRecord(value) ? Object.values(value).flatMap(leavesOf) : [];
}

function placeKey(index: number): string {
  return `value-${index}`;
}
