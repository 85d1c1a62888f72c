'use client';

import { createContext, type RefObject, useContext } from 'react';
import type { Question, Remember } from '../../client/question.ts';
import type { CardWords } from '../words/card-words.ts';
import type { Standing } from './answer/use-answering.ts';
import type { Editing } from './answer/use-editing.ts';
import type { StepUpState } from './answer/use-step-up.ts';

/** What the parts of an `ApprovalCard` share. */
export type ApprovalCardState = {
  readonly question: Question;
  readonly words: CardWords;
  /** Whether this person can answer here and now: the question is open, and theirs. */
  readonly canAnswer: boolean;
  /** Whether this person can approve it as well: an outdated question can only be denied. */
  readonly canApprove: boolean;
  readonly standing: Standing;
  /** Why the last answer was refused. */
  readonly refusal: string | undefined;
  /** State of the sign-in that the question needs. */
  readonly stepUp: StepUpState;
  readonly reason: string;
  readonly setReason: (reason: string) => void;
  readonly remember: Remember | undefined;
  readonly setRemember: (remember: Remember | undefined) => void;
  readonly editing: Editing;
  /** Answers, with the reason, the edits and what to remember. Ignored in the first moment after the card appears. */
  readonly decide: (approved: boolean) => void;
  readonly card: RefObject<HTMLElement | null>;
  readonly ids: {
    readonly heading: string;
    readonly changes: string;
    readonly refusal: string;
    readonly paused: string;
    readonly stepUp: string;
    readonly repeat: string;
    readonly earlier: string;
  };
};

/** Holds the state of the card above. */
export const ApprovalCardContext = createContext<ApprovalCardState | undefined>(undefined);

/** The state of the surrounding card. @throws Error outside an `ApprovalCard` */
export function useApprovalCard(): ApprovalCardState {
  const state = useContext(ApprovalCardContext);
  if (state === undefined)
    throw new Error('A part of ApprovalCard was rendered outside an ApprovalCard. Put it inside.');
  return state;
}
