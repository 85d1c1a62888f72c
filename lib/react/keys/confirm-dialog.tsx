'use client';

import { type ReactNode, useId, useRef } from 'react';
import { useModal } from './use-modal.ts';

/** Asks for a confirmation before something risky. Cancel has the focus; Escape cancels. */
export function ConfirmDialog({
  title,
  words,
  onClose,
  children,
}: {
  title: string;
  words: { readonly cancel: string; readonly confirm: string };
  onClose: (isConfirmed: boolean) => void;
  /** What is confirmed. */
  children: ReactNode;
}) {
  const id = useId();
  const dialog = useModal();
  const isConfirmed = useRef(false);
  return (
    <dialog
      ref={dialog}
      data-countersign="keys-dialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-what`}
      onClose={() => onClose(isConfirmed.current)}
    >
      <h2 id={`${id}-title`} data-countersign="keys-title">
        {title}
      </h2>
      <div id={`${id}-what`} data-countersign="keys-confirmed">
        {children}
      </div>
      <div data-countersign="keys-actions">
        <button type="button" data-countersign="inbox-button" onClick={() => dialog.current?.close()}>
          {words.cancel}
        </button>
        <button
          type="button"
          data-countersign="inbox-button"
          data-kind="confirm"
          onClick={() => {
            isConfirmed.current = true;
            dialog.current?.close();
          }}
        >
          {words.confirm}
        </button>
      </div>
    </dialog>
  );
}
