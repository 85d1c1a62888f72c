'use client';

import type { ReactNode } from 'react';
import { useCardWords } from '../../words/card-words.ts';
import { UnshownJson } from './unshown-json.tsx';

/** What a card shows instead of something that could not be laid out: its plain JSON. */
export function Unshown({ value, children }: { readonly value: unknown; readonly children?: ReactNode }) {
  return (
    <UnshownJson words={useCardWords()} value={value}>
      {children}
    </UnshownJson>
  );
}
