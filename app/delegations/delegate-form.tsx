'use client';

import { readableName } from 'countersign/react';
import { type FormEvent, useId, useState } from 'react';
import { toolsThatAsk } from '../_tools/tool-approval.ts';
import { Button } from '../_ui/button.tsx';
import { delegate, type Person } from './delegations-api.ts';
import styles from './delegations-screen.module.css';
import { PersonField } from './person-field.tsx';

const dayMs = 24 * 3_600_000;

/** Asks to whom, until when and for which tools, and delegates. */
export function DelegateForm({ onDelegated }: { onDelegated: () => void }) {
  const [person, setPerson] = useState<Person>();
  const [said, setSaid] = useState<{ readonly text: string; readonly isProblem: boolean }>();
  const [isBusy, setBusy] = useState(false);
  const id = useId();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget;
    const given = new FormData(form);
    const until = Date.parse(String(given.get('until')));
    const toolName = String(given.get('tool'));
    const note = String(given.get('note')).trim();
    if (!person) return setSaid({ text: 'Choose a person.', isProblem: true });
    if (Number.isNaN(until)) return setSaid({ text: 'Choose when it ends.', isProblem: true });
    setBusy(true);
    const problem = await delegate({
      to: person.id,
      until: new Date(until).toISOString(),
      toolNames: toolName !== '' ? [toolName] : undefined,
      note: note !== '' ? note : undefined,
    });
    setBusy(false);
    setSaid({ text: problem ?? `${person.name} can now answer for you.`, isProblem: problem !== undefined });
    if (problem !== undefined) return;
    form.reset();
    setPerson(undefined);
    onDelegated();
  };

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className={styles.title}>
        New delegation
      </h2>
      <PersonField person={person} onChoose={setPerson} />
      <label htmlFor={`${id}-until`}>Until</label>
      <input id={`${id}-until`} name="until" type="datetime-local" required defaultValue={inOneDay()} />
      <label htmlFor={`${id}-tool`}>For</label>
      <select id={`${id}-tool`} name="tool">
        <option value="">All tools</option>
        {toolsThatAsk.map((name) => (
          <option key={name} value={name}>
            {readableName(name)}
          </option>
        ))}
      </select>
      <label htmlFor={`${id}-note`}>
        Note <span className={styles.hint}>(optional, for the other person)</span>
      </label>
      <input id={`${id}-note`} name="note" maxLength={200} autoComplete="off" />
      <Button type="submit" kind="pen" aria-disabled={isBusy}>
        Delegate
      </Button>
      <p className={styles.said} data-problem={said?.isProblem || undefined} role="status">
        {said?.text}
      </p>
    </form>
  );
}

/** Tomorrow at this time, as the field takes it. */
function inOneDay(): string {
  const at = new Date(Date.now() + dayMs);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
