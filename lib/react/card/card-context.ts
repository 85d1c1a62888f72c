'use client';

import { createContext, type RefObject, useContext } from 'react';
import type { PreviewedCall } from '../../client/http/load-preview.ts';
import type { AddedFields, Question, QuestionOption, Repeat } from '../../client/question.ts';
import type { Choices } from '../plugins/card-plugin.ts';
import type { ApprovalCardWords } from '../words/card-words.ts';
import type { Editing } from './answer/editing.ts';
import type { AnswerProgress } from './answer/use-answering.ts';
import type { Delivery } from './answer/use-delivery.ts';
import type { StepUpState } from './answer/use-step-up.ts';

/** What the parts of an `ApprovalCard` share. */
export type ApprovalCardState = {
  readonly question: Question;
  readonly words: ApprovalCardWords;
  /** What the question shows for the current arguments: for edited ones, once the server has responded. */
  readonly previewed: Partial<PreviewedCall>;
  /** Whether this person can answer now: the question is open, and they may answer it. */
  readonly canAnswer: boolean;
  /** Whether this person can also approve it. An outdated question, and one whose options or form the page lacks, can only be denied. */
  readonly canApprove: boolean;
  /** The page lacks the plugin with the options or the form of the question. */
  readonly isIncomplete: boolean;
  readonly progress: AnswerProgress;
  /** The effect of edited arguments is not known yet: an approval has to wait for it. */
  readonly isPreviewAwaited: boolean;
  /** Why the last answer was refused or not confirmed, in sentences for people. */
  readonly refusal: string | undefined;
  /** The edited arguments that did not fit, as the server sent them, for the form. */
  readonly fieldErrors: unknown;
  /** The address of an earlier identical call. */
  readonly repeatHref: ((repeat: Repeat) => string | undefined) | undefined;
  /** Answers that are kept while the page is disconnected. */
  readonly delivery: Delivery;
  /** State of the sign-in that the question needs. */
  readonly stepUp: StepUpState;
  readonly reason: string;
  readonly setReason: (reason: string) => void;
  readonly isReasonOpen: boolean;
  readonly setReasonOpen: (isOpen: boolean) => void;
  /** The fields that parts of plugins add to an approval. */
  readonly added: AddedFields;
  readonly setAdded: (added: AddedFields) => void;
  readonly editing: Editing;
  /** The options for which Approve and Deny stand. */
  readonly choices: Choices;
  /** Whether the card shows what the options would run. The plugin that shows them sets it. */
  readonly optionsShown: RefObject<boolean>;
  /**
   * Answers, with the reason, the edits and what plugins add. Ignored in the first moment after the card appears.
   *
   * @param option by default the one for which Approve or Deny stands
   */
  readonly answer: (approved: boolean, option?: QuestionOption) => void;
  readonly card: RefObject<HTMLElement | null>;
  readonly ids: {
    readonly heading: string;
    readonly changes: string;
    readonly options: string;
    readonly refusal: string;
    readonly paused: string;
    readonly stepUp: string;
    readonly repeat: string;
    readonly earlier: string;
    readonly settled: string;
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
