'use client';

import { useId, useRef, useState } from 'react';
import { type LoadPreview, loadPreview as previewFromApprovals } from '../../client/http/load-preview.ts';
import {
  type AddedFields,
  addedIn,
  type NewAnswer,
  type Question,
  type QuestionOption,
  type Repeat,
} from '../../client/question.ts';
import { usePluginAnswers } from '../plugins/use-plugin-answers.ts';
import { useCardWords } from '../words/card-words.ts';
import { type CardFailure, useAnswering, useIsSteady } from './answer/use-answering.ts';
import { useDelivery } from './answer/use-delivery.ts';
import { useEditing } from './answer/use-editing.ts';
import { useKeptText } from './answer/use-kept-text.ts';
import { blocksAnswers, type OnStepUp, useStepUp } from './answer/use-step-up.ts';
import type { ApprovalCardState } from './card-context.ts';
import { usePreview } from './evidence/use-preview.ts';

/** A question and how to answer it. */
export type CardSettings<Input = unknown> = {
  readonly question: Question<Input>;
  /** Called once for an answer, and again only after it threw or rejected to refuse the first one. */
  onAnswer(answer: NewAnswer<Input>): unknown;
  /**
   * Signs the person in again, or asks for a second factor, if a question needs it (`stepUp` of its tool).
   * The card shows a button for it, and accepts answers once it returns or resolves. Without it, the card
   * only says what is needed.
   */
  readonly onStepUp?: OnStepUp;
  /**
   * Why the last answer was refused, if `onAnswer` does not throw; or the `failure` of `useApprovalChat`, of
   * which the card shows only failures of its answer.
   */
  readonly failure?: CardFailure;
  /** A refused earlier answer to start from. Read once. */
  readonly initialAnswer?: NewAnswer<Input>;
  /** Loads the sentence and the effect of edited arguments. Default: `POST /api/approvals/{id}/preview`. */
  readonly loadPreview?: LoadPreview;
  /**
   * The address of an earlier identical call, about which the card warns. Its `chatId` is absent for people
   * who may not see that chat. Default: no link.
   */
  readonly repeatHref?: (repeat: Repeat) => string | undefined;
};

/** The state of an approval card. It belongs to one question; another question needs another card. */
export function useCardState({
  question,
  onAnswer,
  onStepUp,
  failure,
  initialAnswer,
  loadPreview = previewFromApprovals,
  repeatHref,
}: CardSettings): ApprovalCardState {
  const id = useId();
  const { openForm, choices, isIncomplete } = usePluginAnswers(question);
  const card = useRef<HTMLElement>(null);
  const [reason, setReasonText] = useState(initialAnswer?.reason ?? '');
  const [isReasonOpen, setReasonOpen] = useState(reason !== '');
  const [added, setAdded] = useState<AddedFields>(() => addedIn(initialAnswer));
  const editing = useEditing(question, openForm, initialAnswer?.value ?? initialAnswer?.input);
  const { refusal, fieldErrors, answer: send, ...answering } = useAnswering(onAnswer, failure);
  const typed = { reason, ...(editing.changes.length > 0 && { input: editing.input }) };
  const { keep, sent } = useKeptText(question, typed, refusal, (text) => {
    setReasonText(text);
    setReasonOpen(true);
  });
  const setReason = (text: string) => {
    setReasonText(text);
    keep({ reason: text });
  };
  const give = (answer: NewAnswer) => {
    const isGiven = send(answer);
    if (isGiven) sent();
    return isGiven;
  };
  const stepUp = useStepUp(question, refusal, onStepUp);
  const canAnswer = question.state === 'open' && question.mayAnswer;
  const delivery = useDelivery(canAnswer, give);
  const canApprove = canAnswer && !question.outdated && !isIncomplete;
  const preview = usePreview(question, loadPreview, { editing, canApprove, refusal });
  const { previewed, previewDigest } = preview;
  const isEffectSteady = useIsSteady(previewDigest);
  const progress = answering.progress === 'ready' && !isEffectSteady ? 'guarded' : answering.progress;

  const optionsShown = useRef(false);

  const answer = (approved: boolean, chosen?: QuestionOption) => {
    if (blocksAnswers(stepUp) || progress !== 'ready') return;
    if (approved ? !canApprove || question.paused : !canAnswer) return;
    const option = chosen ?? (approved ? choices.primary : choices.denial);
    const hasOwn = option?.input !== undefined;
    if (hasOwn && !optionsShown.current) return;
    const isProposal = approved && !hasOwn;
    if (isProposal && (editing.isNeeded || editing.isRestoring) && editing.stage.type !== 'open')
      return editing.open();
    if (isProposal && preview.isAwaited) return;
    if (isProposal && editing.problems > 0) return editing.showProblems();
    const text = reason.trim();
    // The first Deny opens the field; the second one is sent, with or without a reason.
    if (!approved && question.reasonOnDeny && text === '' && !isReasonOpen) return setReasonOpen(true);
    const isEdited = isProposal && (editing.isNeeded || editing.changes.length > 0);
    delivery.give({
      approved,
      option: option && !isEdited ? option.id : undefined,
      reason: text !== '' ? text : undefined,
      ...(isEdited && { [question.needsValue ? 'value' : 'input']: editing.input }),
      previewDigest: isProposal && previewDigest !== undefined ? previewDigest : undefined,
      ...(isProposal && added),
    });
  };

  return {
    question,
    words: useCardWords(),
    previewed,
    canAnswer,
    canApprove,
    isIncomplete,
    progress,
    isPreviewAwaited: preview.isAwaited,
    refusal,
    fieldErrors,
    repeatHref,
    delivery,
    stepUp,
    reason,
    setReason,
    isReasonOpen,
    setReasonOpen,
    added,
    setAdded,
    editing,
    choices,
    optionsShown,
    answer,
    card,
    ids: idsWithin(id),
  };
}

/** The ids of the parts that describe each other. */
function idsWithin(card: string): ApprovalCardState['ids'] {
  return {
    heading: `${card}-heading`,
    changes: `${card}-changes`,
    options: `${card}-options`,
    refusal: `${card}-refusal`,
    paused: `${card}-paused`,
    stepUp: `${card}-step-up`,
    repeat: `${card}-repeat`,
    earlier: `${card}-earlier`,
    settled: `${card}-settled`,
  };
}
