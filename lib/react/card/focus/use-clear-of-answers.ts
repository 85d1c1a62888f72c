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
    const element = card.current;
    let isPressed = false;
    const onPress = () => {
      isPressed = true;
    };
    const onRelease = () => {
      isPressed = false;
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
    element?.addEventListener('focusin', onFocus);
    element?.addEventListener('pointerdown', onPress);
    document.addEventListener('pointerup', onRelease);
    document.addEventListener('pointercancel', onRelease);
    return () => {
      element?.removeEventListener('focusin', onFocus);
      element?.removeEventListener('pointerdown', onPress);
      document.removeEventListener('pointerup', onRelease);
      document.removeEventListener('pointercancel', onRelease);
    };
  }, [card]);
}
