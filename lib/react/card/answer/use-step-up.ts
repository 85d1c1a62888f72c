'use client';

import { useState } from 'react';
import type { Question } from '../../../client/question.ts';

/**
 * Asks the person to sign in again. Returns or resolves once they have; throws or rejects when they have not. A page
 * that navigates away or reloads does neither.
 */
export type OnStepUp = (question: Question) => unknown;

/** State of the sign-in that a question needs. `offered`: an answer was refused, possibly because it was missing. */
export type StepUpState = {
  readonly state: 'none' | 'needed' | 'offered' | 'asking';
  /** Absent if the page has no way to sign in again. */
  readonly prove?: () => void;
};

/** Tracks whether this person has to sign in again before they can answer. */
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

/** Whether this person has to sign in before they can answer. */
export function blocksAnswers({ state }: StepUpState): boolean {
  return state === 'needed' || state === 'asking';
}
