'use client';

import { type ComponentPropsWithoutRef, useEffect, useRef, useState } from 'react';
import type { Question } from '../../../client/question.ts';
import { useCardWords } from '../../words/card-words.ts';
import { showQuestion } from './show-question.ts';

/** Props of `BackToQuestion`. Other attributes are passed to its button. */
export type BackToQuestionProps = ComponentPropsWithoutRef<'button'> & {
  /** The open question of the page, if there is one. */
  readonly question: Pick<Question, 'id'> | undefined;
};

/** How much of the answers has to be visible. Less than all, because sizes have fractions. */
const visibleShare = 0.9;

/**
 * A button that scrolls to the open question and gives it the focus. Renders nothing while the question's answers are in
 * view (or all of its card, for a person who may not answer), without a question, and on the server. Place it where it
 * is always visible, such as above the message box.
 *
 * @source H13
 */
export function BackToQuestion({ question, children, onClick, ...rest }: BackToQuestionProps) {
  const words = useCardWords();
  const button = useRef<HTMLButtonElement>(null);
  const [isAway, setAway] = useState(false);
  const id = question?.id;

  useEffect(() => {
    const card = cardOf(id);
    if (!card || typeof IntersectionObserver === 'undefined') return setAway(false);
    const shown = card.querySelector('[data-countersign="card-actions"]') ?? card;
    const observer = new IntersectionObserver(
      (entries) => {
        const isShown = (entries.at(-1)?.intersectionRatio ?? 0) >= visibleShare;
        // The button is about to disappear: its focus must not be lost.
        if (isShown && button.current === document.activeElement) card.focus({ preventScroll: true });
        setAway(!isShown);
      },
      { threshold: visibleShare },
    );
    observer.observe(shown);
    return () => observer.disconnect();
  }, [id]);

  if (!isAway) return null;
  return (
    <button
      type="button"
      ref={button}
      data-countersign="card-back"
      {...rest}
      onClick={(event) => {
        onClick?.(event);
        const card = cardOf(id);
        if (!card || event.defaultPrevented) return;
        card.focus({ preventScroll: true });
        showQuestion(card);
      }}
    >
      {children ?? words.backToQuestion}
    </button>
  );
}

function cardOf(id: string | undefined): HTMLElement | undefined {
  const cards = document.querySelectorAll<HTMLElement>('[data-countersign="card"]');
  return [...cards].find(({ dataset }) => dataset.question === id);
}
