'use client';

import { useState } from 'react';
import { Button } from '../_ui/button.tsx';
import styles from './rehearsal.module.css';
import { loadRehearsal, type Rehearsal as Report } from './rehearsal-api.ts';
import { RehearsalReport } from './rehearsal-report.tsx';

const periods = [1, 7, 30, 90] as const;

/** The form that rehearses another policy on past calls, and its report. */
export function Rehearsal({ policies }: { policies: readonly string[] }) {
  const [policy, setPolicy] = useState(policies[0] ?? '');
  const [days, setDays] = useState<number>(30);
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle');
  const [report, setReport] = useState<Report>();

  async function rehearse(): Promise<void> {
    setState('busy');
    setReport(undefined);
    const read = await loadRehearsal(policy, days);
    setReport(read);
    setState(read ? 'idle' : 'failed');
  }

  return (
    <>
      <p>
        See what another policy would have decided about past calls. Nothing runs, and nothing is recorded.
      </p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (state !== 'busy') void rehearse();
        }}
      >
        <label>
          Policy
          <select value={policy} onChange={(event) => setPolicy(event.target.value)}>
            {policies.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Calls of the last
          <select value={days} onChange={(event) => setDays(Number(event.target.value))}>
            {periods.map((count) => (
              <option key={count} value={count}>
                {count === 1 ? '24 hours' : `${count} days`}
              </option>
            ))}
          </select>
        </label>
        <Button type="submit" aria-disabled={state === 'busy'}>
          Rehearse
        </Button>
      </form>
      <p role="status">{state === 'busy' && 'Rehearsing…'}</p>
      {state === 'failed' && <p role="alert">The policy couldn’t be rehearsed. Try again.</p>}
      {report && <RehearsalReport report={report} />}
    </>
  );
}
