import { visibleText } from './visible-text.ts';

/** Lines that stay, before and after those that change. */
const context = 2;

/** Lines to show, each with its sign: those before the difference, those removed and added, and those after it. */
type ChangedLines = readonly [lead: string, removed: string, added: string, rest: string];

/**
 * Two versions of a text, line by line: the lines from the first difference to the last one, with two lines around them.
 * `undefined` if nothing differs.
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
