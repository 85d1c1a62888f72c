'use client';

import styles from './transport-switch.module.css';
import type { TransportMode } from './use-transport-mode.ts';
import { useTransportMode } from './use-transport-mode.ts';

const modes: readonly { mode: TransportMode; label: string; hint: string }[] = [
  { mode: 'sse', label: 'SSE', hint: 'One HTTP response at a time' },
  { mode: 'bidi', label: 'BIDI', hint: 'One WebSocket for everything' },
];

/** Chooses how this page talks to the server. The chat stays as it is. */
export function TransportSwitch() {
  const [chosen, choose] = useTransportMode();
  return (
    <fieldset className={styles.switch} data-mode={chosen}>
      <legend className={styles.legend}>Transport</legend>
      {modes.map(({ mode, label, hint }) => (
        <label key={mode} className={styles.choice}>
          <input
            type="radio"
            name="transport"
            value={mode}
            checked={mode === chosen}
            onChange={() => choose(mode)}
          />
          <span>{label}</span>
          <span className={styles.hint}>{hint}</span>
        </label>
      ))}
    </fieldset>
  );
}
