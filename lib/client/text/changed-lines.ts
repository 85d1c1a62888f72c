import { visibleText } from './visible-text.ts';

/** How many unchanged lines to show before and after the changed ones. */
const context = 2;

/** Lines to show, each with its sign: unchanged lines before the difference, removed lines, added lines, unchanged lines after it. */
type ChangedLines = readonly [lead: string, removed: string, added: string, rest: string];

/**
 * Compares two versions of a text line by line. Returns the lines from the first difference to the last one, and two lines before and
 * after them; `undefined` if the versions are equal.
 */
export function changedLines(before: string, after: string): ChangedLines | undefined {
  if (before === after) return undefined;
  const [old, now] = [before.split('\n'), after.split('\n')];
  const shortest = Math.min(old.length, now.length);
  let start = 0;
  while (start < shortest && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < shortest - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const rest = now.length - end;
  return [
    lines(now.slice(Math.max(0, start - context), start), '  '),
    lines(old.slice(start, old.length - end), '− '),
    lines(now.slice(start, rest), '+ '),
    lines(now.slice(rest, rest + context), '  '),
  ];
}

function lines(all: readonly string[], sign: string): string {
  return all.map((line) => `${sign}${visibleText(line)}\n`).join('');
}
