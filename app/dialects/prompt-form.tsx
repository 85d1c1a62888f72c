'use client';

import { useId, useRef, useState } from 'react';
import { Button } from '../_ui/button.tsx';
import styles from './wires-screen.module.css';

const prompts = ['Pay Alice 30', 'search files for approval', 'call the flaky service'];

/** The message for all wires. It stays in the field, to be sent again. */
export function PromptForm({ isBusy, onSend }: { isBusy: boolean; onSend: (text: string) => void }) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const canSend = !isBusy && text.trim() !== '';

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) onSend(text.trim());
      }}
    >
      <label className={styles.label} htmlFor={id}>
        Message for all wires
      </label>
      <div className={styles.line}>
        <input
          ref={field}
          id={id}
          className={styles.field}
          type="text"
          autoComplete="off"
          maxLength={10_000}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {/* Not `disabled`, which would lose the focus. */}
        <Button kind="pen" type="submit" className={styles.send} aria-disabled={!canSend}>
          Send
        </Button>
      </div>
      <ul className={styles.prompts} aria-label="Suggestions">
        {prompts.map((prompt) => (
          <li key={prompt}>
            <Button
              onClick={() => {
                setText(prompt);
                field.current?.focus();
              }}
            >
              {prompt}
            </Button>
          </li>
        ))}
      </ul>
    </form>
  );
}
