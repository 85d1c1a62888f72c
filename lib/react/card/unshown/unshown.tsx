'use client';

import type { ReactNode } from 'react';
import { plainJson } from '../../../client/plain-json.ts';
import { useCardWords } from '../../words/use-words.ts';

/** What is shown instead of something that could not be laid out: its plain JSON. */
export function Unshown({ value, children }: { readonly value: unknown; readonly children?: ReactNode }) {
  const words = useCardWords();
  return (
    <section aria-label={words.unshown} data-countersign="unshown">
      <p>{words.unshown}</p>
      <details data-countersign="json">
        <summary data-countersign="json-toggle">{words.showJson}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <pre data-countersign="json-text" tabIndex={0}>
          {plainJson(value)}
        </pre>
      </details>
      {children}
    </section>
  );
}
