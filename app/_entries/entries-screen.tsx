'use client';

import Link from 'next/link';
import { type ReactNode, useRef, useState } from 'react';
import { Screen } from '../_frame/screen.tsx';
import { Button } from '../_ui/button.tsx';
import styles from './entries-screen.module.css';
import { type Entries, type EntriesSource, useEntries } from './use-entries.ts';

/** What the screen of a list of entries shows. */
export type EntriesScreenProps<Entry> = {
  readonly title: string;
  readonly source: EntriesSource<Entry>;
  heading(state: Entries<Entry>['state'], count: number): string;
  readonly lead: string;
  readonly failure: string;
  readonly olderLabel: string;
  /** What is said after an attempt to remove an entry; `undefined` for nothing. */
  outcome(entry: Entry, isRemoved: boolean): string | undefined;
  /** Adds an entry. It calls `refresh` when it has. Default: none. */
  form?(refresh: () => void): ReactNode;
  /** One entry, as an `Entry`. */
  children(entry: Entry, remove: () => Promise<void>): ReactNode;
};

/** A list of this person's own entries, each of which can be removed. */
export function EntriesScreen<Entry extends { readonly id: string }>({
  title,
  source,
  heading,
  lead,
  failure,
  olderLabel,
  outcome,
  form,
  children,
}: EntriesScreenProps<Entry>) {
  const { state, items, more, refresh, remove } = useEntries(source);
  const [notice, setNotice] = useState('');
  const headingElement = useRef<HTMLHeadingElement>(null);

  const removeOne = async (entry: Entry) => {
    const isRemoved = await remove(entry);
    const text = outcome(entry, isRemoved);
    if (text === undefined) return;
    setNotice(text);
    // The button has gone with its row.
    if (isRemoved) headingElement.current?.focus();
  };

  return (
    <Screen
      title={title}
      className={styles.screen}
      actions={
        <Link className={styles.back} href="/inbox">
          Inbox
        </Link>
      }
    >
      <header>
        <h2 ref={headingElement} className={styles.heading} tabIndex={-1}>
          {heading(state, items.length)}
        </h2>
        <p className={styles.lead}>{lead}</p>
      </header>
      <p className={styles.notice} role="status">
        {state === 'loading' ? 'Loading…' : notice}
      </p>
      {state === 'failed' && (
        <div role="alert">
          <p>{failure}</p>
          <Button onClick={refresh}>Try again</Button>
        </div>
      )}
      <ul className={styles.list}>{items.map((entry) => children(entry, () => removeOne(entry)))}</ul>
      {more !== undefined && (
        <Button kind="quiet" onClick={more}>
          {olderLabel}
        </Button>
      )}
      {form?.(refresh)}
    </Screen>
  );
}
