'use client';

import { forgetUnsent } from 'countersign/react';
import { useId, useState } from 'react';
import { forgetUnsentTexts } from '../chats/_chat/use-unsent-text.ts';
import { demoIdentities, switchUser } from './identity.ts';
import { useUser } from './identity-state.tsx';
import styles from './identity-switch.module.css';

/** Signs in as another demo user, to try what needs two people, and reloads the page. */
export function IdentitySwitch() {
  const user = useUser();
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const isKnown = user === undefined || demoIdentities.some((identity) => identity.id === user.id);

  const choose = async (chosen: string) => {
    const identity = demoIdentities.find((one) => one.id === chosen);
    if (!identity) return;
    setBusy(true);
    if (await switchUser(identity)) {
      // The new identity may not see this chat.
      const isShared = ['/inbox', '/remembered', '/delegations', '/sessions'].includes(
        window.location.pathname,
      );
      forgetUnsentTexts();
      forgetUnsent();
      window.location.assign(isShared ? window.location.pathname : '/');
      return;
    }
    setBusy(false);
    setProblem('The demo login is disabled on this server.');
  };

  return (
    <div className={styles.identity}>
      <label className={styles.label} htmlFor={id}>
        Signed in as (demo)
      </label>
      <select
        id={id}
        className={styles.select}
        value={user?.id ?? ''}
        disabled={user === undefined || isBusy}
        onChange={(event) => void choose(event.target.value)}
      >
        {user === undefined && <option value="">…</option>}
        {demoIdentities.map((identity) => (
          <option key={identity.id} value={identity.id}>
            {identity.label}
          </option>
        ))}
        {!isKnown && <option value={user.id}>{user.name}</option>}
      </select>
      {problem !== '' && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
