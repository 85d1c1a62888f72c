'use client';

import { type ReactNode, useState } from 'react';
import { useCardWords } from '../../../words/card-words.ts';

/**
 * The beginning of something long, with a button that shows more and says how much is hidden. Once all is shown, the button
 * hides it again: it keeps the focus.
 *
 * @param count of items, or of the characters of a text
 * @param first of them that are shown at first; each step doubles the number
 * @param isText shows everything in one step
 */
export function Stepped({
  count,
  first = 50,
  isText = false,
  children,
}: {
  count: number;
  first?: number;
  isText?: boolean;
  children: (shown: number) => ReactNode;
}) {
  const words = useCardWords();
  const [chosen, setChosen] = useState(0);
  const shown = Math.max(first, chosen);
  const hidden = Math.max(0, count - shown);
  const next = isText ? count : shown * 2;
  return (
    <>
      {children(shown)}
      {count > first && (
        <button type="button" data-countersign="value-more" onClick={() => setChosen(hidden > 0 ? next : 0)}>
          {hidden > 0 ? words.showMore(hidden, isText) : words.showLess}
        </button>
      )}
    </>
  );
}
