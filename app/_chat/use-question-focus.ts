'use client';

import type { RefObject } from 'react';
import { useEffect, useEffectEvent } from 'react';
import { useAnnounce } from './announcer.tsx';
import { showQuestion } from './show-question.ts';

/**
 * Brings a new question to the person: moves the focus to it, or, for somebody who is typing, says it. Never
 * both, so that a screen reader tells it once.
 *
 * @param words what is said
 */
export function useQuestionFocus(card: RefObject<HTMLElement | null>, words: string): void {
  const announce = useAnnounce();
  const bring = useEffectEvent(() => {
    if (card.current === null) return;
    if (!mayTakeFocus(document.activeElement)) return announce(words);
    card.current.focus({ preventScroll: true });
    showQuestion(card.current);
  });
  useEffect(() => bring(), []);
}

/** Whether a new question may take the focus from this element: nobody is at work in it. */
function mayTakeFocus(active: Element | null): boolean {
  if (active === null || active === document.body) return true;
  if (!active.hasAttribute('data-yields-focus')) return false;
  return !(active instanceof HTMLTextAreaElement) || active.value === '';
}
