'use client';

import { useId, useRef, useState } from 'react';
import type { LoadInputSchema } from '../../client/form/load-input-schema.ts';
import type { Decision, Question, Remember } from '../../client/question.ts';
import { useCardWords } from '../words/use-words.ts';
import { useAnswering } from './answer/use-answering.ts';
import { useEditing } from './answer/use-editing.ts';
import { blocksAnswers, type OnStepUp, useStepUp } from './answer/use-step-up.ts';
import type { ApprovalCardState } from './card-context.ts';

/** The state of an approval card. It belongs to one question; another question needs another card. */
export function useCardState({
  question,
  onDecide,
  onStepUp,
  failure,
  initialDecision,
  loadInputSchema,
}: {
  question: Question;
  onDecide: (decision: Decision) => unknown;
  onStepUp: OnStepUp | undefined;
  failure: string | undefined;
  initialDecision: Decision | undefined;
  loadInputSchema: LoadInputSchema;
}): ApprovalCardState {
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const [reason, setReason] = useState(initialDecision?.reason ?? '');
  const [remember, setRemember] = useState<Remember | undefined>(initialDecision?.remember);
  const editing = useEditing(question, loadInputSchema, initialDecision?.input);
  const { standing, refusal, answer } = useAnswering(onDecide, failure);
  const stepUp = useStepUp(question, refusal, onStepUp);
  const canAnswer = question.state === 'open' && question.mayAnswer;
  const canApprove = canAnswer && !question.outdated;

  const decide = (approved: boolean) => {
    if (blocksAnswers(stepUp)) return;
    if (approved ? !canApprove || question.paused : !canAnswer) return;
    if (approved && editing.problems.size > 0) return editing.showProblems();
    const text = reason.trim();
    answer({
      approved,
      ...(text !== '' && { reason: text }),
      ...(approved && editing.changes.length > 0 && { input: editing.input }),
      ...(approved && remember && { remember }),
    });
  };

  return {
    question,
    words: useCardWords(),
    canAnswer,
    canApprove,
    standing,
    refusal,
    stepUp,
    reason,
    setReason,
    remember,
    setRemember,
    editing,
    decide,
    card,
    ids: {
      heading: `${id}-heading`,
      changes: `${id}-changes`,
      refusal: `${id}-refusal`,
      paused: `${id}-paused`,
      stepUp: `${id}-step-up`,
      repeat: `${id}-repeat`,
      earlier: `${id}-earlier`,
    },
  };
}
