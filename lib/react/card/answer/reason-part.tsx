'use client';

import { type ComponentPropsWithoutRef, useId } from 'react';
import { useApprovalCard } from '../card-context.ts';

const longestReason = 2000;

/** The reason, shared with the model for either answer. Renders nothing where this person cannot answer. */
export function Reason({ children, ...rest }: ComponentPropsWithoutRef<'div'>) {
  const { words, canAnswer, reason, setReason } = useApprovalCard();
  const id = useId();
  if (!canAnswer) return null;
  return (
    <div data-countersign="card-reason" {...rest}>
      {children ?? (
        <>
          <label htmlFor={id}>
            {words.reason} <span data-countersign="field-optional">{words.reasonHint}</span>
          </label>
          <textarea
            id={id}
            data-countersign="field-control"
            aria-label={words.reason}
            rows={1}
            maxLength={longestReason}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </>
      )}
    </div>
  );
}
