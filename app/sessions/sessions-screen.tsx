'use client';

import { EntriesScreen } from '../_entries/entries-screen.tsx';
import { Entry, timeText } from '../_entries/entry.tsx';
import type { Entries } from '../_entries/use-entries.ts';
import { type Session, sessions } from './sessions-api.ts';
import styles from './sessions-screen.module.css';

/** Where this person is signed in; each session can be ended. */
export function SessionsScreen() {
  return (
    <EntriesScreen
      title="Sessions"
      source={sessions}
      heading={headingOf}
      lead="Each sign-in is a session. When you end one, its pages are disconnected within seconds."
      failure="Your sessions couldn’t be loaded."
      olderLabel="Show older sessions"
      outcome={outcomeOf}
    >
      {(session, end) => <Item key={session.id} session={session} onEnd={end} />}
    </EntriesScreen>
  );
}

function Item({ session, onEnd }: { session: Session; onEnd: () => Promise<void> }) {
  const { createdAt, lastSeenAt, current } = session;
  const since = timeText(createdAt);
  return (
    <Entry
      name={
        <>
          <span>Signed in {since}</span>
          {current && <span className={styles.current}>This session</span>}
        </>
      }
      action={current ? 'Sign out' : 'End session'}
      actionLabel={current ? 'Sign out of this session' : `End session: signed in ${since}`}
      onAction={onEnd}
    >
      <p className={styles.seen}>{current ? 'Active now' : seenWords(Date.now() - Date.parse(lastSeenAt))}</p>
    </Entry>
  );
}

function headingOf(state: Entries<Session>['state'], count: number): string {
  if (state !== 'ready') return 'Your sessions';
  return count === 0 ? 'No sign-in on record' : 'Where you are signed in';
}

/** Signing out leaves the page, so nothing is said. */
function outcomeOf({ current }: Session, isEnded: boolean): string | undefined {
  if (!isEnded) return 'The session couldn’t be ended. Try again.';
  return current ? undefined : 'The session has ended.';
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
