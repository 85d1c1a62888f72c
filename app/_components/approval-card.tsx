'use client';

import { useId, useRef, useState } from 'react';
import { answerOfKey } from '../_chat/approval-keys.ts';
import type { Descriptor } from '../_chat/question.ts';
import { parseDescriptor } from '../_chat/question.ts';
import type { CallView } from '../_chat/tool-call.ts';
import { useAnswering } from '../_chat/use-answering.ts';
import { useQuestionFocus } from '../_chat/use-question-focus.ts';
import { visibleText } from '../_chat/visible-text.ts';
import { ApprovalAnswer } from './approval-answer.tsx';
import styles from './approval-card.module.css';
import { ApprovalHeading } from './approval-heading.tsx';
import { CallArguments } from './call-arguments.tsx';

/**
 * The question: what will happen, to what, how much it matters, and the two answers. Everything the person
 * signs is visible before they can.
 *
 * @param onAnswer called once at most, with the reason as written
 */
export function ApprovalCard({
  call,
  descriptor: given,
  onAnswer,
}: {
  call: CallView;
  descriptor: unknown;
  onAnswer: (approved: boolean, reason: string) => void;
}) {
  const descriptor = parseDescriptor(given, call.title);
  const [reason, setReason] = useState('');
  const answering = useAnswering((approved) => onAnswer(approved, reason));
  const card = useRef<HTMLElement>(null);
  const headingId = useId();
  useQuestionFocus(card, spokenQuestion(descriptor, call.title));

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would group form fields; this groups a question
    <section
      ref={card}
      className={styles.card}
      role="group"
      aria-labelledby={headingId}
      tabIndex={-1}
      data-state="asking"
      data-risk={descriptor.risk}
      onKeyDown={(event) => {
        const answer = answerOfKey(event.nativeEvent);
        if (answer === undefined || !descriptor.mayAnswer) return;
        event.preventDefault();
        answering.answer(answer === 'approve');
      }}
    >
      <ApprovalHeading id={headingId} descriptor={descriptor} call={call} />
      <div className={styles.terms}>
        <CallArguments input={call.input} label="Show JSON" />
      </div>
      {descriptor.mayAnswer ? (
        <ApprovalAnswer reason={reason} onReason={setReason} answering={answering} />
      ) : (
        <p className={styles.notYours}>You may not answer this one. It waits for somebody who may.</p>
      )}
    </section>
  );
}

/** The question in one breath, for people who do not see the card appear. */
function spokenQuestion(descriptor: Descriptor, title: string): string {
  const place = descriptor.position;
  const words = [
    place === undefined
      ? 'Approval needed'
      : `Approval needed, question ${place.index}${place.of ? ` of ${place.of}` : ''}`,
    `${title}: ${visibleText(descriptor.description).replace(/[.!?]$/, '')}`,
    descriptor.risk === undefined ? '' : `${descriptor.risk} risk`,
  ];
  return words.filter((part) => part !== '').join('. ');
}
