'use client';

import { type ComponentPropsWithoutRef, type KeyboardEvent, useRef } from 'react';
import type { Question } from '../../../client/question.ts';
import { InboxCard } from '../inbox-card.tsx';
import { useInbox } from '../inbox-context.ts';
import { useKeptFocus } from '../use-kept-focus.ts';
import { InboxReview } from './inbox-review.tsx';

/**
 * Next to the list: the card of the question that was chosen, or the selected questions while they are
 * reviewed. On a narrow page it replaces the list, and has a button back.
 */
export function InboxDetail(props: ComponentPropsWithoutRef<'section'>) {
  const { inbox, words, opened, isReviewing, open, setReviewing, ids } = useInbox();
  const detail = useRef<HTMLElement>(null);
  useKeptFocus(detail, opened, cardIn);
  if (inbox.questions.length === 0 && !opened && !isReviewing) return null;
  const close = () => (isReviewing ? setReviewing(false) : open(undefined));
  return (
    <section
      ref={detail}
      id={ids.detail}
      aria-label={words.detail}
      tabIndex={-1}
      data-countersign="inbox-detail"
      data-state={isReviewing ? 'review' : opened ? 'question' : 'empty'}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented && !keepsKeys(event)) close();
      }}
      {...props}
    >
      {isReviewing ? (
        <InboxReview />
      ) : opened ? (
        <>
          <Bar question={opened} />
          <InboxCard key={opened.id} question={opened} />
        </>
      ) : (
        <p data-countersign="inbox-detail-empty">{words.chooseOne}</p>
      )}
    </section>
  );
}

/** The card. Its buttons disappear once it is answered. */
function cardIn(detail: HTMLElement): HTMLElement {
  return detail.querySelector<HTMLElement>('[data-countersign="card"]') ?? detail;
}

/** The button back, the place in the list, and buttons for the previous and next question. */
function Bar({ question }: { question: Question }) {
  const { words, questions, open } = useInbox();
  const place = questions.indexOf(question);
  const isOpen = ({ state }: Question) => state === 'open';
  const before = questions.slice(0, Math.max(0, place)).findLast(isOpen);
  const after = questions.slice(place + 1).find(isOpen);
  return (
    <div data-countersign="inbox-detail-bar">
      <button type="button" data-countersign="inbox-button" data-kind="back" onClick={() => open(undefined)}>
        {words.back}
      </button>
      {place >= 0 && <span>{words.place(place + 1, questions.length)}</span>}
      <Step label={words.previous} to={before} />
      <Step label={words.next} to={after} />
    </div>
  );
}

function Step({ label, to }: { label: string; to: Question | undefined }) {
  const { open } = useInbox();
  if (!to) return null;
  return (
    <button type="button" data-countersign="inbox-button" data-kind="quiet" onClick={() => open(to.id)}>
      {label}
    </button>
  );
}

/** While the person types, edits or selects, Escape applies to the field: closing would lose the input. */
function keepsKeys({ target }: KeyboardEvent): boolean {
  return (
    target instanceof Element && target.closest('[data-keeps-keys], textarea, input, select, dialog') !== null
  );
}
