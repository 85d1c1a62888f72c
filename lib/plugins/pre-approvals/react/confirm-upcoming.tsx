'use client';

import { visibleText } from '../../../client/text/visible-text.ts';
import { ConfirmDialog } from '../../../react/keys/confirm-dialog.tsx';
import type { UpcomingCall } from '../client/upcoming-api.ts';
import type { UpcomingWords } from './words.ts';

/** Asks whether high-risk calls are to be pre-approved. */
export function ConfirmUpcoming({
  calls,
  words,
  onClose,
}: {
  calls: readonly UpcomingCall[];
  words: UpcomingWords;
  onClose: (isConfirmed: boolean) => void;
}) {
  return (
    <ConfirmDialog title={words.confirmTitle(calls.length)} words={words} onClose={onClose}>
      <ul data-countersign="upcoming-confirmed">
        {calls.map(({ question: { id, description } }) => (
          <li key={id}>
            <bdi>{visibleText(description)}</bdi>
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
