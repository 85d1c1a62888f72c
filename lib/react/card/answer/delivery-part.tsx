'use client';

import { type ComponentPropsWithoutRef, useEffect, useRef } from 'react';
import type { ApprovalCardWords } from '../../words/card-words.ts';
import { announce } from '../announce.ts';
import { useApprovalCard } from '../card-context.ts';
import { scrollClearOfAnswers } from '../focus/scroll-clear-of-answers.ts';
import type { UnsentAnswer } from './use-delivery.ts';

/**
 * Shown for an answer while the page is disconnected: says that it cannot be sent, and offers to send it
 * after reconnecting, or to discard it. While connected, shows only an answer that was not sent, until the
 * person decides again.
 *
 * @source ADR 0038
 */
export function CardDelivery(props: ComponentPropsWithoutRef<'div'>) {
  const { words, delivery, canAnswer, card } = useApprovalCard();
  const { isConnected, unsent, queue, takeBack } = delivery;
  const sentence = sentenceOf(unsent, words);
  const part = useRef<HTMLDivElement>(null);
  const back = useRef<HTMLButtonElement>(null);
  const before = useRef(unsent.state);
  // Each new state once, but not the countdown.
  useEffect(() => {
    if (before.current === unsent.state) return;
    before.current = unsent.state;
    if (unsent.state === 'none') return;
    announce(sentence);
    scrollClearOfAnswers(part.current);
  }, [unsent.state, sentence]);
  if (!canAnswer || (isConnected && unsent.state !== 'dropped')) return null;
  return (
    <div ref={part} data-countersign="card-delivery" data-state={unsent.state} {...props}>
      <p>{sentence}</p>
      {unsent.state === 'unsent' && (
        <button
          type="button"
          data-countersign="card-queue"
          onClick={() => {
            queue();
            // This button is about to disappear. Keep the focus here.
            back.current?.focus();
          }}
        >
          {words.sendWhenConnected}
        </button>
      )}
      {(unsent.state === 'unsent' || unsent.state === 'queued') && (
        <button
          type="button"
          ref={back}
          data-countersign="card-take-back"
          onClick={() => {
            takeBack();
            card.current?.focus({ preventScroll: true });
          }}
        >
          {words.takeBack}
        </button>
      )}
    </div>
  );
}

function sentenceOf(unsent: UnsentAnswer, words: ApprovalCardWords): string {
  switch (unsent.state) {
    case 'none':
      return words.notConnected;
    case 'unsent':
      return words.unsent(unsent.answer.approved);
    case 'queued':
      return words.queued(unsent.answer.approved, unsent.seconds);
    case 'dropped':
      return words.dropped(unsent.answer.approved);
  }
}
