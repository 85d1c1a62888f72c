'use client';

import type { ReactNode } from 'react';
import { plainJson } from '../../../client/text/plain-json.ts';

type Props = {
  readonly words: { readonly unshown: string; readonly showJson: string };
  readonly value: unknown;
  readonly children?: ReactNode;
};

/** The plain JSON of something that could not be laid out. */
export function UnshownJson({ words, value, children }: Props) {
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
