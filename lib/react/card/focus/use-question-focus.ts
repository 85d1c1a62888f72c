'use client';

import { type RefObject, useEffect } from 'react';
import { useLatest } from '../../use-latest.ts';
import { announce } from '../announce.ts';
import { showQuestion } from './show-question.ts';

/** How a new question gets attention. `focus`: moves the focus to it, or announces it to a person who is typing. */
export type Attention = 'focus' | 'none';

/**
 * Moves the focus to a new question, or announces it to a person who is typing elsewhere. Never both, so that a screen
 * reader reads it once.
 *
 * @param words the announcement
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
 * Whether a new question may take the focus from this element. Fields with text keep it, and so does everything in
 * another card, unless the focus only moved there because a question left.
 */
function mayTakeFocus(active: Element | null): boolean {
  if (active === null || active === document.body) return true;
  const yields = active.hasAttribute('data-yields-focus');
  if (active.closest('[data-countersign]')) return yields;
  if (active instanceof HTMLTextAreaElement) return active.value === '';
  return yields;
}
