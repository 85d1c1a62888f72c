'use client';

import { type RefObject, useEffect } from 'react';
import { useLatest } from '../use-latest.ts';
import { announce } from './announce.ts';
import { showQuestion } from './show-question.ts';

/** What a new question may do to be noticed. `focus`: move the focus to it, or be announced to who is typing. */
export type Attention = 'focus' | 'none';

/**
 * Brings a new question to the person: moves the focus to it, or, for somebody who is at work elsewhere, says it.
 * Never both, so that a screen reader tells it once.
 *
 * @param words what is said
 */
export function useQuestionFocus(
  card: RefObject<HTMLElement | null>,
  words: string,
  attention: Attention,
): void {
  const bring = useLatest(() => {
    if (card.current === null || attention === 'none') return;
    if (!mayTakeFocus(document.activeElement)) return announce(words);
    card.current.focus({ preventScroll: true });
    showQuestion(card.current);
  });
  useEffect(() => bring(), [bring]);
}

/**
 * Whether a new question may take the focus from this element: nobody is at work in it. A field of another card is
 * never taken, however empty it is.
 */
function mayTakeFocus(active: Element | null): boolean {
  if (active === null || active === document.body) return true;
  if (active.closest('[data-countersign]')) return false;
  if (active instanceof HTMLTextAreaElement) return active.value === '';
  return active.hasAttribute('data-yields-focus');
}
