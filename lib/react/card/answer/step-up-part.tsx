'use client';

import type { ComponentPropsWithoutRef } from 'react';
import { useApprovalCard } from '../card-context.ts';

/** Says that the question needs a recent sign-in, with a button for it. Renders nothing if it needs none. */
export function CardStepUp({ children, ...rest }: ComponentPropsWithoutRef<'div'>) {
  const { stepUp, words, ids } = useApprovalCard();
  const { state, prove } = stepUp;
  if (state === 'none') return null;
  const isAsking = state === 'asking';
  return (
    <div data-countersign="card-step-up" data-state={state} {...rest}>
      <p id={ids.stepUp} role="status">
        {children ?? (prove ? words.stepUp : words.stepUpElsewhere)}
      </p>
      {prove && (
        <button
          type="button"
          data-countersign="card-sign-in"
          aria-describedby={ids.stepUp}
          aria-disabled={isAsking}
          onClick={() => !isAsking && prove()}
        >
          {words.signInAgain}
        </button>
      )}
    </div>
  );
}
