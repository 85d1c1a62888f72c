'use client';

import { useId, useRef, useState } from 'react';
import type { Decision, Question, Remember } from '../question.ts';
import { useWords } from '../words.tsx';
import type { ApprovalCardState } from './card-context.ts';
import type { LoadInputSchema } from './load-input-schema.ts';
import { useAnswering } from './use-answering.ts';
import { useEditing } from './use-editing.ts';

/** Everything that a card knows of its question while a person looks at it. One question: another needs another card. */
export function useCardState({
  question,
  onDecide,
  failure,
  initialDecision,
  loadInputSchema,
}: {
  question: Question;
  onDecide: (decision: Decision) => unknown;
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
  const canAnswer = question.state === 'open' && question.mayAnswer;
  const canApprove = canAnswer && !question.outdated;

  const decide = (approved: boolean) => {
    if (approved ? !canApprove || question.paused : !canAnswer) return;
    if (approved && editing.problems.size > 0) return editing.showProblems();
    const told = reason.trim();
    answer({
      approved,
      ...(told !== '' && { reason: told }),
      ...(approved && editing.changes.length > 0 && { input: editing.input }),
      ...(approved && remember && { remember }),
    });
  };

  return {
    question,
    words: useWords().card,
    canAnswer,
    canApprove,
    standing,
    refusal,
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
      repeat: `${id}-repeat`,
    },
  };
}
