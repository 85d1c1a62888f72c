'use client';

import { type ReactNode, useState } from 'react';
import { Button } from '../_ui/button.tsx';
import styles from './entry.module.css';

/** One entry of a list: its name, what is known of it, and the button that removes it. */
export function Entry({
  name,
  action,
  actionLabel,
  onAction,
  children,
}: {
  name: ReactNode;
  action: string;
  /** The action with the entry's name, for people who do not see the row. */
  actionLabel: string;
  onAction: () => Promise<void>;
  children: ReactNode;
}) {
  const [isBusy, setBusy] = useState(false);
  return (
    <li className={styles.entry}>
      <h3 className={styles.name}>{name}</h3>
      {children}
      <Button
        className={styles.action}
        aria-label={actionLabel}
        aria-disabled={isBusy}
        onClick={() => {
          if (isBusy) return;
          setBusy(true);
          void onAction().finally(() => setBusy(false));
        }}
      >
        {action}
      </Button>
    </li>
  );
}

/** When something happened, in the reader's language. @param time ISO 8601 */
export function timeText(time: string): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
