'use client';

import { changedLines } from '../../../../client/text/changed-lines.ts';
import { useCardWords } from '../../../words/card-words.ts';

/** Two versions of a text. Removed and added lines are marked by a sign and an element, not only by colour. */
export function TextDiff({ before, after }: { before: string; after: string }) {
  const words = useCardWords();
  const lines = changedLines(before, after);
  if (!lines) return <p data-countersign="value-none">{words.noChanges}</p>;
  const [lead, removed, added, rest] = lines;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre data-countersign="text-diff" tabIndex={0}>
      {lead}
      <del>{removed}</del>
      <ins>{added}</ins>
      {rest}
    </pre>
  );
}
