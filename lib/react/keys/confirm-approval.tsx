'use client';

import { useId, useRef } from 'react';
import { useKeyWords } from '../words/use-words.ts';
import { useModal } from './use-modal.ts';

/** Asks whether a single key was meant to approve a high-risk question. Cancel has the focus; Escape cancels. */
export function ConfirmApproval({
  card,
  onClose,
}: {
  card: HTMLElement;
  onClose: (isConfirmed: boolean) => void;
}) {
  const words = useKeyWords();
  const id = useId();
  const dialog = useModal();
  const isConfirmed = useRef(false);
  const description = card.querySelector('[data-countersign="card-description"]')?.textContent;
  return (
    <dialog
      ref={dialog}
      data-countersign="keys-dialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-what`}
      onClose={() => onClose(isConfirmed.current)}
    >
      <h2 id={`${id}-title`} data-countersign="keys-title">
        {words.confirmTitle}
      </h2>
      <p id={`${id}-what`}>{description}</p>
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
