'use client';

import { useEffect, useRef, useState } from 'react';
import { Button } from '../../_ui/button.tsx';
import styles from './message-editor.module.css';

/** Changes a message that was sent. Escape cancels; Ctrl or ⌘ with Enter sends. */
export function MessageEditor({
  text,
  onCancel,
  onSave,
}: {
  text: string;
  onCancel: () => void;
  onSave: (text: string) => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [changed, setChanged] = useState(text);
  const canSave = changed.trim() !== '';

  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, []);

  const save = () => {
    if (canSave) onSave(changed.trim());
  };

  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <textarea
        ref={field}
        className={styles.field}
        aria-label="Edit message"
        rows={3}
        value={changed}
        onChange={(event) => setChanged(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel();
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
        }}
      />
      <div className={styles.actions}>
        <p className={styles.hint}>Sending this message again replaces everything after it.</p>
        <Button onClick={onCancel}>Cancel</Button>
        <Button kind="pen" type="submit" disabled={!canSave}>
          Send again
        </Button>
      </div>
    </form>
  );
}
