'use client';

import type { ValuePlace } from '../../../../client/text/value-meaning.ts';
import { useLoaded } from '../../../use-loaded.ts';
import { useCardWords } from '../../../words/card-words.ts';

const loadCode = () => import('./meaning-code.ts');

/** What a date or an amount means. Its code is loaded with the first value that may be one. */
export function Meaning({ value, ...place }: ValuePlace & { value: unknown }) {
  const { locale } = useCardWords();
  const meaning = useLoaded(loadCode)?.meaningOf(value, { ...place, locale });
  return meaning && <span data-countersign="value-meaning"> {meaning}</span>;
}
