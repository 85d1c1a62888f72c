'use client';

import { ReadableValue, readableName } from 'countersign/react';
import Link from 'next/link';
import { useRef, useState } from 'react';
import { PageHeader } from '../_frame/page-header.tsx';
import { Button } from '../_ui/button.tsx';
import type { Remembered } from './remembered-api.ts';
import styles from './remembered-screen.module.css';
import { type RememberedList, useRemembered } from './use-remembered.ts';

/** The remembered approvals of this person, which can be revoked. */
export function RememberedScreen() {
  const { state, items, more, refresh, revokeOne } = useRemembered();
  const [notice, setNotice] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);

  const revoke = async (item: Remembered) => {
    const done = await revokeOne(item.id);
    setNotice(done ? `${nameOf(item)} will ask you again.` : 'The approval couldn’t be revoked. Try again.');
    // The button has gone with its row.
    if (done) heading.current?.focus();
  };

  return (
    <div className={styles.page}>
      <PageHeader title="Remembered approvals">
        <Link className={styles.back} href="/inbox">
          Inbox
        </Link>
      </PageHeader>
      <main className={styles.main}>
        <div className={styles.column}>
          <header>
            <h2 ref={heading} className={styles.heading} tabIndex={-1}>
              {headingOf(state, items.length)}
            </h2>
            <p className={styles.lead}>
              When you approve a call, you can remember the approval for later calls. It applies only to your
              own calls, and ends when the tool changes.
            </p>
          </header>
          <p className={styles.notice} role="status">
            {state === 'loading' ? 'Loading…' : notice}
          </p>
          {state === 'failed' && (
            <div role="alert">
              <p>The list couldn’t be loaded.</p>
              <Button onClick={refresh}>Try again</Button>
            </div>
          )}
          <ul className={styles.list}>
            {items.map((item) => (
              <Item key={item.id} item={item} onRevoke={() => revoke(item)} />
            ))}
          </ul>
          {more !== undefined && (
            <Button kind="quiet" onClick={more}>
              Show older approvals
            </Button>
          )}
        </div>
      </main>
    </div>
  );
}

function Item({ item, onRevoke }: { item: Remembered; onRevoke: () => Promise<void> }) {
  const [isBusy, setBusy] = useState(false);
  const name = nameOf(item);
  const { match, scope, chatId, input, uses, lastUsedAt, createdAt } = item;
  return (
    <li className={styles.item}>
      <h3 className={styles.name}>{name}</h3>
      <p className={styles.extent}>
        {match === 'tool' ? 'Any arguments' : 'These exact arguments'}
        {', '}
        {scope === 'me' || chatId === undefined ? (
          'in all your chats'
        ) : (
          <>
            in <Link href={`/chats/${chatId}`}>one chat</Link>
          </>
        )}
      </p>
      {match === 'exact-arguments' && input !== undefined && (
        <div className={styles.input} data-countersign="remembered-input">
          <ReadableValue value={input} />
        </div>
      )}
      <p className={styles.use}>
        Remembered {dayOf(createdAt)}. {usedWords(uses, lastUsedAt)}
      </p>
      <Button
        className={styles.revoke}
        aria-label={`Revoke: ${name}`}
        aria-disabled={isBusy}
        onClick={() => {
          if (isBusy) return;
          setBusy(true);
          void onRevoke().finally(() => setBusy(false));
        }}
      >
        Revoke
      </Button>
    </li>
  );
}

function headingOf(state: RememberedList['state'], count: number): string {
  if (state !== 'ready') return 'Remembered approvals';
  return count === 0 ? 'No remembered approvals' : 'Tools that run without asking you';
}

function nameOf({ title, toolName }: Remembered): string {
  return title ?? readableName(toolName);
}

function usedWords(uses: number, lastUsedAt: string | undefined): string {
  if (uses === 0 || lastUsedAt === undefined) return 'Not used yet.';
  return `Used ${uses === 1 ? 'once' : `${uses} times`}, last on ${dayOf(lastUsedAt)}.`;
}

function dayOf(time: string): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
