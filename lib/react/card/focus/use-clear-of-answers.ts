'use client';

import { type RefObject, useEffect } from 'react';
import { scrollClearOfAnswers } from './scroll-clear-of-answers.ts';

/**
 * Scrolls the focused element of a card out from behind its answers, if a stylesheet keeps those in view
 * (WCAG 2.4.11). Not while a pointer is pressed: it would be released over a different element, and the click
 * would be lost.
 */
export function useClearOfAnswers(card: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const left = new AbortController();
    const { signal } = left;
    const element = card.current;
    let isPressed = false;
    const press = (pressed: boolean) => () => {
      isPressed = pressed;
    };
    const onFocus = ({ target }: FocusEvent) => {
      if (isPressed) return;
      // The browser scrolls first.
      requestAnimationFrame(() => {
        const answers = element?.querySelector('[data-countersign="card-actions"]');
        if (!(target instanceof Element) || target === element || answers?.contains(target)) return;
        scrollClearOfAnswers(target);
      });
    };
    element?.addEventListener('focusin', onFocus, { signal });
    element?.addEventListener('pointerdown', press(true), { signal });
    document.addEventListener('pointerup', press(false), { signal });
    document.addEventListener('pointercancel', press(false), { signal });
    return () => left.abort();
  }, [card]);
}
