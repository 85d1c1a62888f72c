'use client';

import { type RefObject, useEffect, useLayoutEffect } from 'react';
import { announce } from '../announce.ts';

/** On the server there is no layout, and React 18 warns about an effect that needs one. */
const useBeforeRemoval = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/**
 * When a question leaves the page, the card of its call shows the outcome. If the focus was in the question
 * and no other question has taken it, it moves to that card; otherwise the outcome is announced. Never both,
 * so that a screen reader reads it once. Without such a card, the focus moves to the nearest focusable
 * element around the question.
 */
export function useHandOver(card: RefObject<HTMLElement | null>, toolCallId: string): void {
  useBeforeRemoval(() => {
    const question = card.current;
    const around = question?.parentElement?.closest<HTMLElement>('[tabindex]');
    return () => {
      const hadFocus = question?.contains(document.activeElement) ?? false;
      // By then, the replacement of the question is on the page.
      setTimeout(() => {
        if (question && !question.isConnected) handOver(toolCallId, hadFocus, around);
      });
    };
  }, [card, toolCallId]);
}

function handOver(toolCallId: string, hadFocus: boolean, around: HTMLElement | null | undefined): void {
  const outcome = outcomeOf(toolCallId);
  if (hadFocus && document.activeElement === document.body) {
    const target = outcome ?? around;
    target?.focus({ preventScroll: true });
    // The person did not choose this place: the next question may take the focus from it.
    target?.setAttribute('data-yields-focus', '');
  } else if (outcome) {
    const words = outcome.querySelector('[data-countersign="tool-words"]')?.children ?? [];
    announce(Array.from(words, ({ textContent }) => textContent).join('. '));
  }
}

/** The summary of a call's card. */
function outcomeOf(toolCallId: string): HTMLElement | null | undefined {
  const calls = document.querySelectorAll<HTMLElement>('[data-countersign="tool"]');
  return [...calls].find(({ dataset }) => dataset.call === toolCallId)?.querySelector('summary');
}
