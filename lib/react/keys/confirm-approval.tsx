'use client';

import { useKeyWords } from '../words/use-words.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** Asks whether a single key was meant to approve a high-risk question. */
export function ConfirmApproval({
  card,
  onClose,
}: {
  card: HTMLElement;
  onClose: (isConfirmed: boolean) => void;
}) {
  const words = useKeyWords();
  const description = card.querySelector('[data-countersign="card-description"]')?.textContent;
  return (
    <ConfirmDialog title={words.confirmTitle} words={words} onClose={onClose}>
      {description}
    </ConfirmDialog>
  );
}
