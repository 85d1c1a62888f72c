'use client';

import Link from 'next/link';
import { useRef, useState } from 'react';
import { PageHeader } from '../_frame/page-header.tsx';
import { Button } from '../_ui/button.tsx';
import type { Session } from './sessions-api.ts';
import styles from './sessions-screen.module.css';
import { type SessionList, useSessions } from './use-sessions.ts';

/** Where this person is signed in; each session can be ended. */
export function SessionsScreen() {
  const { state, items, more, refresh, end } = useSessions();
  const [notice, setNotice] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);

  const endOne = async (session: Session) => {
    const done = await end(session);
    if (done && session.current) {
      window.location.assign('/');
      return;
    }
    setNotice(done ? 'The session has ended.' : 'The session couldn’t be ended. Try again.');
    // The button has gone with its row.
    if (done) heading.current?.focus();
  };

  return (
    <div className={styles.page}>
      <PageHeader title="Sessions">
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
              Each sign-in is a session. When you end one, its pages are disconnected within seconds.
            </p>
          </header>
          <p className={styles.notice} role="status">
            {state === 'loading' ? 'Loading…' : notice}
          </p>
          {state === 'failed' && (
            <div role="alert">
              <p>Your sessions couldn’t be loaded.</p>
              <Button onClick={refresh}>Try again</Button>
            </div>
          )}
          <ul className={styles.list}>
            {items.map((session) => (
              <Item key={session.id} session={session} onEnd={() => endOne(session)} />
            ))}
          </ul>
          {more !== undefined && (
            <Button kind="quiet" onClick={more}>
              Show older sessions
            </Button>
          )}
        </div>
      </main>
    </div>
  );
}

function Item({ session, onEnd }: { session: Session; onEnd: () => Promise<void> }) {
  const [isBusy, setBusy] = useState(false);
  const { createdAt, lastSeenAt, current } = session;
  const since = dayOf(createdAt);
  return (
    <li className={styles.item}>
      <h3 className={styles.name}>
        Signed in {since}
        {current && <span className={styles.current}>This session</span>}
      </h3>
      <p className={styles.seen}>{current ? 'Active now' : seenWords(Date.now() - Date.parse(lastSeenAt))}</p>
      <Button
        className={styles.end}
        aria-label={current ? 'Sign out of this session' : `End session: signed in ${since}`}
        aria-disabled={isBusy}
        onClick={() => {
          if (isBusy) return;
          setBusy(true);
          void onEnd().finally(() => setBusy(false));
        }}
      >
        {current ? 'Sign out' : 'End session'}
      </Button>
    </li>
  );
}

function headingOf(state: SessionList['state'], count: number): string {
  if (state !== 'ready') return 'Your sessions';
  return count === 0 ? 'No sign-in on record' : 'Where you are signed in';
}

/** The server records the time every few minutes only. */
function seenWords(passedMs: number): string {
  const minutes = Math.floor(passedMs / 60_000);
  if (minutes < 10) return 'Active in the last 10 minutes';
  if (minutes < 60) return 'Active in the last hour';
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `Last active ${hours} ${hours === 1 ? 'hour' : 'hours'} ago`;
  const days = Math.floor(hours / 24);
  return `Last active ${days} ${days === 1 ? 'day' : 'days'} ago`;
}

function dayOf(time: string): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
