'use client';

import { ReadableValue, readableName } from 'countersign/react';
import Link from 'next/link';
import { EntriesScreen } from '../_entries/entries-screen.tsx';
import { Entry, timeText } from '../_entries/entry.tsx';
import type { Entries } from '../_entries/use-entries.ts';
import { type Remembered, rememberedApprovals } from './remembered-api.ts';
import styles from './remembered-screen.module.css';

/** The remembered approvals of this person, which can be revoked. */
export function RememberedScreen() {
  return (
    <EntriesScreen
      title="Remembered approvals"
      source={rememberedApprovals}
      heading={headingOf}
      lead={
        'When you approve a call, you can remember the approval for later calls. It applies only to your own ' +
        'calls, and ends when the tool changes.'
      }
      failure="The list couldn’t be loaded."
      olderLabel="Show older approvals"
      outcome={(item, isRemoved) =>
        isRemoved ? `${nameOf(item)} will ask you again.` : 'The approval couldn’t be revoked. Try again.'
      }
    >
      {(item, revoke) => <Item key={item.id} item={item} onRevoke={revoke} />}
    </EntriesScreen>
  );
}

function Item({ item, onRevoke }: { item: Remembered; onRevoke: () => Promise<void> }) {
  const name = nameOf(item);
  const { match, scope, chatId, input, uses, lastUsedAt, createdAt } = item;
  return (
    <Entry name={name} action="Revoke" actionLabel={`Revoke: ${name}`} onAction={onRevoke}>
      <p className={styles.extent}>
        <span>{match === 'tool' ? 'Any arguments, ' : 'These exact arguments, '}</span>
        {scope === 'me' || chatId === undefined ? (
          <span>in all your chats</span>
        ) : (
          <span>
            in <Link href={`/chats/${chatId}`}>one chat</Link>
          </span>
        )}
      </p>
      {match === 'exact-arguments' && input !== undefined && (
        <div className={styles.input} data-countersign="remembered-input">
          <ReadableValue value={input} />
        </div>
      )}
      <p className={styles.use}>
        Remembered {timeText(createdAt)}. {usedWords(uses, lastUsedAt)}
      </p>
    </Entry>
  );
}

function headingOf(state: Entries<Remembered>['state'], count: number): string {
  if (state !== 'ready') return 'Remembered approvals';
  return count === 0 ? 'No remembered approvals' : 'Tools that run without asking you';
}

function nameOf({ title, toolName }: Remembered): string {
  return title ?? readableName(toolName);
}

function usedWords(uses: number, lastUsedAt: string | undefined): string {
  if (uses === 0 || lastUsedAt === undefined) return 'Not used yet.';
  return `Used ${uses === 1 ? 'once' : `${uses} times`}, last on ${timeText(lastUsedAt)}.`;
}
