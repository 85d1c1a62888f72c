'use client';

import { type ComponentPropsWithoutRef, useEffect, useRef } from 'react';
import type { FirstCardWords } from '../../words/card-words.ts';
import { announce } from '../announce.ts';
import { useApprovalCard } from '../card-context.ts';
import { scrollClearOfAnswers } from '../focus/scroll-clear-of-answers.ts';
import type { HeldAnswer } from './use-held-answer.ts';

/**
 * Shown for an answer while the page is disconnected: says that it cannot be sent, and offers to send it
 * after reconnecting, or to discard it. While connected, shows only an answer that was not sent, until the
 * person decides again.
 *
 * @source ADR 0038
 */
export function CardDelivery(props: ComponentPropsWithoutRef<'div'>) {
  const { words, delivery, canAnswer, card } = useApprovalCard();
  const { isConnected, held, queue, takeBack } = delivery;
  const sentence = sentenceOf(held, words);
  const part = useRef<HTMLDivElement>(null);
  const back = useRef<HTMLButtonElement>(null);
  const before = useRef(held.state);
  // Each new state once, but not the countdown.
  useEffect(() => {
    if (before.current === held.state) return;
    before.current = held.state;
    if (held.state === 'none') return;
    announce(sentence);
    scrollClearOfAnswers(part.current);
  }, [held.state, sentence]);
  if (!canAnswer || (isConnected && held.state !== 'dropped')) return null;
  return (
    <div ref={part} data-countersign="card-delivery" data-state={held.state} {...props}>
      <p>{sentence}</p>
      {held.state === 'held' && (
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
      {(held.state === 'held' || held.state === 'queued') && (
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

function sentenceOf(held: HeldAnswer, words: FirstCardWords): string {
  switch (held.state) {
    case 'none':
      return words.notConnected;
    case 'held':
      return words.held(held.answer.approved);
    case 'queued':
      return words.queued(held.answer.approved, held.seconds);
    case 'dropped':
      return words.dropped(held.answer.approved);
  }
}
