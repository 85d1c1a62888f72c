'use client';

import { useEffect, useRef } from 'react';
import styles from './rename-form.module.css';

const titleLength = 200;

/**
 * A field for a chat's title. Enter and leaving the field keep it, Escape drops it.
 *
 * @param onEnd the new title, or `undefined` when nothing is to change
 */
export function RenameForm({ title, onEnd }: { title: string; onEnd: (title: string | undefined) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const hasEnded = useRef(false);

  useEffect(() => field.current?.select(), []);

  const end = (text: string | undefined) => {
    // Enter closes the form, and its field then loses the focus: one end is enough.
    if (hasEnded.current) return;
    hasEnded.current = true;
    onEnd(text === '' ? undefined : text);
  };

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        end(field.current?.value.trim());
      }}
    >
      <input
        ref={field}
        className={styles.field}
        aria-label="Title"
        defaultValue={title}
        maxLength={titleLength}
        autoComplete="off"
        onBlur={() => end(field.current?.value.trim())}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          end(undefined);
        }}
      />
    </form>
  );
}
