'use client';

import { type ComponentPropsWithoutRef, useState } from 'react';
import type { Question } from '../../../client/question.ts';
import { useApprovalCard } from '../card-context.ts';

/**
 * Asks the person to sign in again. Returns, or resolves, once that was done; throws, or rejects, when it was not. A
 * page that is left or loaded anew needs to do neither.
 */
export type OnStepUp = (question: Question) => unknown;

/** How far a card has come with the proof that its question needs. `offered`: an answer was refused, maybe for it. */
export type StepUpState = {
  readonly state: 'none' | 'needed' | 'offered' | 'asking';
  /** Absent where the page gives no way to sign in again. */
  readonly prove?: () => void;
};

/** Keeps whether this person still has to sign in again before an answer. */
export function useStepUp(
  question: Question,
  refusal: string | undefined,
  onStepUp: OnStepUp | undefined,
): StepUpState {
  const [progress, setProgress] = useState<'asking' | 'proved'>();
  const { stepUp } = question;
  if (!stepUp || question.state !== 'open' || !question.mayAnswer) return { state: 'none' };
  const prove = onStepUp && {
    prove() {
      setProgress('asking');
      void (async () => onStepUp(question))().then(
        () => setProgress('proved'),
        () => setProgress(undefined),
      );
    },
  };
  if (progress === 'asking') return { state: 'asking', ...prove };
  if (progress === 'proved' || !stepUp.needed)
    return { state: refusal === undefined ? 'none' : 'offered', ...prove };
  return { state: 'needed', ...prove };
}

/** Whether answers wait for the proof. */
export function blocksAnswers({ state }: StepUpState): boolean {
  return state === 'needed' || state === 'asking';
}

/** That the question needs a recent sign-in, and the way to it; nothing where it needs none. */
export function StepUp({ children, ...rest }: ComponentPropsWithoutRef<'div'>) {
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
