'use client';

import { visibleText } from '../../../../client/visible-text.ts';
import { useCardWords } from '../../../words/use-words.ts';

/** Lines that stay, before and after those that change. */
const context = 2;

/**
 * Two versions of a text, line by line: the lines from the first difference to the last one, with two lines
 * around them. Removed and added lines are marked by a sign and an element, not only by colour.
 */
export function TextDiff({ before, after }: { before: string; after: string }) {
  const words = useCardWords();
  const [old, now] = [before.split('\n'), after.split('\n')];
  const shortest = Math.min(old.length, now.length);
  let start = 0;
  while (start < shortest && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < shortest - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  if (before === after) return <p data-countersign="value-none">{words.noChanges}</p>;
  const rest = now.length - end;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre data-countersign="text-diff" tabIndex={0}>
      {lines(now.slice(Math.max(0, start - context), start), '  ')}
      <del>{lines(old.slice(start, old.length - end), '− ')}</del>
      <ins>{lines(now.slice(start, rest), '+ ')}</ins>
      {lines(now.slice(rest, rest + context), '  ')}
    </pre>
  );
}

function lines(all: readonly string[], sign: string): string {
  return all.map((line) => `${sign}${visibleText(line)}\n`).join('');
}
