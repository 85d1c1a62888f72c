'use client';

import type { ComponentPropsWithoutRef } from 'react';
import { useEffect, useId, useRef, useState } from 'react';
import { announce } from '../../card/announce.ts';
import { useInbox } from '../inbox-context.ts';

const reasonLength = 2000;

/** Denies all selected questions with one reason, or opens them for review. */
export function InboxBatch(props: ComponentPropsWithoutRef<'fieldset'>) {
  const { inbox, words, questions, selected, select, isReviewing, setReviewing, ids } = useInbox();
  const [reason, setReason] = useState('');
  const [notice, setNotice] = useState('');
  const [isBusy, setBusy] = useState(false);
  const all = useRef<HTMLInputElement>(null);
  const reasonId = useId();
  const wasReviewing = useRef(isReviewing);
  useEffect(() => {
    // The button that led back no longer exists.
    if (wasReviewing.current && !isReviewing) (all.current ?? document.getElementById(ids.detail))?.focus();
    wasReviewing.current = isReviewing;
  }, [isReviewing, ids]);
  const open = questions.filter(({ state }) => state === 'open').map(({ id }) => id);
  if (open.length < 2 && selected.size === 0 && notice === '') return null;

  const deny = async () => {
    if (isBusy) return;
    setBusy(true);
    const result = await inbox.denyAll([...selected], reason.trim() || undefined);
    setBusy(false);
    setReason('');
    const outcome = words.batchDone(result);
    setNotice(outcome);
    announce(outcome);
    // The buttons are about to disappear. Keep the focus on the page.
    all.current?.focus();
  };

  return (
    <fieldset data-countersign="inbox-batch" data-state={selected.size > 0 ? 'selecting' : 'idle'} {...props}>
      <legend data-countersign="unseen">{words.selectAll}</legend>
      <div data-countersign="inbox-batch-line">
        <label data-countersign="inbox-check">
          <input
            ref={all}
            type="checkbox"
            checked={selected.size > 0 && selected.size === open.length}
            disabled={open.length === 0}
            onChange={(event) => {
              setNotice('');
              select(open, event.target.checked);
            }}
          />
          <span>{selected.size > 0 ? words.selected(selected.size) : words.selectAll}</span>
        </label>
        {notice !== '' && selected.size === 0 && <p data-countersign="inbox-batch-done">{notice}</p>}
      </div>
      {selected.size > 0 && !isReviewing && (
        <div data-countersign="inbox-batch-answer">
          <label htmlFor={reasonId}>
            {words.batchReason} <small>{words.batchReasonHint}</small>
          </label>
          <textarea
            id={reasonId}
            data-countersign="field-control"
            aria-label={words.batchReason}
            rows={1}
            maxLength={reasonLength}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          <button
            type="button"
            data-countersign="inbox-button"
            data-kind="quiet"
            onClick={() => select(open, false)}
          >
            {words.clearSelection}
          </button>
          <button type="button" data-countersign="inbox-button" onClick={() => setReviewing(true)}>
            {words.review(selected.size)}
          </button>
          <button
            type="button"
            data-countersign="inbox-button"
            data-kind="deny"
            aria-disabled={isBusy}
            onClick={() => void deny()}
          >
            {isBusy ? words.denying : words.denyAll(selected.size)}
          </button>
        </div>
      )}
    </fieldset>
  );
}
