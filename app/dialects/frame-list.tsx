'use client';

import { visibleText } from 'countersign/react';
import type { ShownFrame } from './_wires/wire-state.ts';
import styles from './frame-list.module.css';

/** The longest body that is shown, in characters. */
const longestBody = 600;

/** The newest frames of a wire. The list stays at its end, unless it was scrolled. */
export function FrameList({
  name,
  frames,
  frameCount,
}: {
  name: string;
  frames: readonly ShownFrame[];
  frameCount: number;
}) {
  const hidden = frameCount - frames.length;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would group form fields; this groups what is read
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className={styles.frames} role="group" aria-label={`Frames: ${name}`} tabIndex={0}>
      <ol className={styles.list}>
        {hidden > 0 && <li className={styles.hidden}>{hidden} earlier frames are not shown.</li>}
        {frames.map(({ key, direction, type, body }) => (
          <li key={key} className={styles.frame} data-direction={direction}>
            <span className={styles.type}>
              {direction === 'sent' && <span aria-hidden="true">→ </span>}
              {direction === 'sent' && <span className="visually-hidden">Sent: </span>}
              <span>{type}</span>
            </span>
            <code className={styles.body}>{shortened(body)}</code>
          </li>
        ))}
      </ol>
    </div>
  );
}

function shortened(body: string): string {
  const shown = visibleText(body.slice(0, longestBody));
  const rest = body.length - longestBody;
  return rest > 0 ? `${shown} … ${rest.toLocaleString('en-US')} more characters` : shown;
}
