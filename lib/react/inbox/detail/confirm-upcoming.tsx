'use client';

import { useEffect, useId, useRef } from 'react';
import type { UpcomingCall } from '../../../client/inbox/upcoming-api.ts';
import type { UpcomingWords } from '../../words/upcoming-words.ts';
import type { UpcomingCallsProps } from './upcoming-props.ts';

/** Asks whether high-risk calls are to be approved in advance. Cancel has the focus; Escape cancels. */
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
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
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
        {words.confirmTitle(calls.length)}
      </h2>
      <ul id={`${id}-what`} data-countersign="upcoming-confirmed">
        {calls.map(({ question: { id: call, description } }) => (
          <li key={call}>
            <bdi>{visibleText(description)}</bdi>
          </li>
        ))}
      </ul>
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
