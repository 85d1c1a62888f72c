'use client';

import type { UpcomingCall } from '../../../client/inbox/upcoming-api.ts';
import { ConfirmDialog } from '../../keys/confirm-dialog.tsx';
import type { UpcomingWords } from '../../words/upcoming-words.ts';
import type { UpcomingCallsProps } from './upcoming-props.ts';

/** Asks whether high-risk calls are to be approved in advance. */
export function ConfirmUpcoming({
  calls,
  words,
  visibleText,
  onClose,
}: Pick<UpcomingCallsProps, 'visibleText'> & {
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
