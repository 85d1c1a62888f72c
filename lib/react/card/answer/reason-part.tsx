'use client';

import { type ComponentPropsWithoutRef, useEffect, useId, useRef } from 'react';
import { useApprovalCard } from '../card-context.ts';

const longestReason = 2000;

/**
 * The reason, shared with the model for either answer. Opens on demand, and on Deny if the tool asks for
 * reasons. Renders nothing if this person cannot answer.
 */
export function CardReason({ children, ...rest }: ComponentPropsWithoutRef<'details'>) {
  const { question, words, canAnswer, reason, setReason, isReasonOpen, setReasonOpen } = useApprovalCard();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const wasOpen = useRef(isReasonOpen);
  useEffect(() => {
    // One with a reason was opened by the page: what was typed before a reload is back.
    if (isReasonOpen && !wasOpen.current && reason === '') field.current?.focus();
    wasOpen.current = isReasonOpen;
  }, [isReasonOpen, reason]);
  if (!canAnswer) return null;
  return (
    <details
      data-countersign="card-reason"
      open={isReasonOpen}
      onToggle={(event) => setReasonOpen(event.currentTarget.open)}
      {...rest}
    >
      {children ?? (
        <>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the summary is the button of its details */}
          <summary
            data-countersign="card-toggle"
            onClick={(event) => {
              // The browser's event follows later, and until then typed keys would count as shortcuts.
              event.preventDefault();
              setReasonOpen(!isReasonOpen);
            }}
          >
            {words.addReason}
          </summary>
          <label htmlFor={id}>
            {words.reason}{' '}
            <span data-countersign="field-optional" id={`${id}-hint`}>
              {question.reasonOnDeny ? words.reasonOnDenyHint : words.reasonHint}
            </span>
          </label>
          <textarea
            id={id}
            ref={field}
            data-countersign="field-control"
            aria-label={words.reason}
            aria-describedby={`${id}-hint`}
            rows={1}
            maxLength={longestReason}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </>
      )}
    </details>
  );
}
