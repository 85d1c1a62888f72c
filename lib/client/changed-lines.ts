import { visibleText } from './visible-text.ts';

/** Lines that stay, before and after those that change. */
const context = 2;

/** The difference between two texts, as texts to show, each line with its sign. */
export type ChangedLines = {
  readonly before: string;
  readonly removed: string;
  readonly added: string;
  readonly after: string;
};

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
  return {
    before: lines(now.slice(Math.max(0, start - context), start), '  '),
    removed: lines(old.slice(start, old.length - end), '− '),
    added: lines(now.slice(start, rest), '+ '),
    after: lines(now.slice(rest, rest + context), '  '),
  };
}

function lines(all: readonly string[], sign: string): string {
  return all.map((line) => `${sign}${visibleText(line)}\n`).join('');
}
