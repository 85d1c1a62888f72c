'use client';

import { readableName } from 'countersign/react';
import { EntriesScreen } from '../_entries/entries-screen.tsx';
import { Entry, timeText } from '../_entries/entry.tsx';
import type { Entries } from '../_entries/use-entries.ts';
import { DelegateForm } from './delegate-form.tsx';
import { type Delegation, delegations } from './delegations-api.ts';
import styles from './delegations-screen.module.css';

/** Who may answer for this person, for whom this person may answer, and a form for a new delegation. */
export function DelegationsScreen() {
  return (
    <EntriesScreen
      title="Delegations"
      source={delegations}
      heading={headingOf}
      lead={
        'Let another person answer for you while you are away. They can answer what you can answer, but not their ' +
        'own requests. Each answer names both of you.'
      }
      failure="The list couldn’t be loaded."
      olderLabel="Show older delegations"
      outcome={(item, isRemoved) =>
        isRemoved ? `${nameOf(item)} has ended.` : 'The delegation couldn’t be ended. Try again.'
      }
      form={(refresh) => <DelegateForm onDelegated={refresh} />}
    >
      {(item, end) => <Item key={item.id} item={item} onEnd={end} />}
    </EntriesScreen>
  );
}

function Item({ item, onEnd }: { item: Delegation; onEnd: () => Promise<void> }) {
  const { until, toolNames, note, isGiven } = item;
  const name = nameOf(item);
  const action = isGiven ? 'Revoke' : 'Decline';
  return (
    <Entry name={name} action={action} actionLabel={`${action}: ${name}`} onAction={onEnd}>
      <p className={styles.extent}>
        {toolNames ? toolNames.map(readableName).join(', ') : 'All tools'}, until {timeText(until)}
      </p>
      {note !== undefined && (
        <p className={styles.note}>
          <q>{note}</q>
        </p>
      )}
    </Entry>
  );
}

function headingOf(state: Entries<Delegation>['state'], count: number): string {
  if (state !== 'ready') return 'Delegations';
  return count === 0 ? 'Nobody answers for you' : 'Who answers for whom';
}

function nameOf({ isGiven, from, to }: Delegation): string {
  return isGiven ? `${to.name} answers for you` : `You answer for ${from.name}`;
}
