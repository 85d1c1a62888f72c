'use client';

import type { ReactNode } from 'react';
import { useEffect, useId, useRef } from 'react';
import { Button } from './button.tsx';
import styles from './confirm-dialog.module.css';

/** Asks before something is destroyed. Escape cancels; the harmless button has the focus. */
export function ConfirmDialog({
  title,
  action,
  children,
  onCancel,
  onConfirm,
}: {
  title: string;
  action: string;
  children: ReactNode;
  onCancel: () => void;
  onConfirm: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const titleId = useId();

  useEffect(() => {
    dialog.current?.showModal();
    cancel.current?.focus();
  }, []);

  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={titleId} onClose={onCancel}>
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      <p className={styles.text}>{children}</p>
      <div className={styles.actions}>
        <Button ref={cancel} onClick={onCancel}>
          Cancel
        </Button>
        <Button kind="danger" onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </dialog>
  );
}
