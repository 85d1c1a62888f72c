'use client';

import type { ComponentPropsWithoutRef, KeyboardEvent, ReactNode } from 'react';
import { useRef } from 'react';
import type { Question } from '../../../client/question.ts';
import { InboxBoundary } from '../inbox-boundary.tsx';
import { useInbox } from '../inbox-context.ts';
import { useKeptFocus } from '../use-kept-focus.ts';
import { InboxItem } from './inbox-item.tsx';

/** Props of `InboxList`, and any attribute of its `<ul>`. */
export type InboxListProps = Omit<ComponentPropsWithoutRef<'ul'>, 'children'> & {
  /** Draws one question in its `<li>`. Default: `InboxItem`. */
  readonly children?: (question: Question) => ReactNode;
};

/** The questions, in the order of the filter. `j` and `k` move between them. A single `InboxItem` is expanded. */
export function InboxList({ children, ...rest }: InboxListProps) {
  const { inbox, words, questions, setFilter } = useInbox();
  const list = useRef<HTMLUListElement>(null);
  useKeptFocus(list, questions, (element) => element);

  if (inbox.questions.length === 0) return null;
  return (
    <>
      {questions.length === 0 && (
        <div data-countersign="inbox-no-match">
          <p role="status">{inbox.more ? words.noMatchYet(inbox.questions.length) : words.noMatch}</p>
          <button type="button" data-countersign="inbox-button" onClick={() => setFilter({})}>
            {words.clearFilter}
          </button>
        </div>
      )}
      <ul
        ref={list}
        // biome-ignore lint/a11y/noRedundantRoles: lists without bullets lose their role in Safari
        role="list"
        tabIndex={-1}
        hidden={questions.length === 0}
        data-countersign="inbox-list"
        onKeyDown={moveBetweenRows}
        {...rest}
      >
        {questions.map((question) => (
          <li
            key={question.id}
            data-countersign="inbox-row"
            data-state={question.state}
            data-risk={question.risk}
          >
            <InboxBoundary question={question}>
              {children ? (
                children(question)
              ) : (
                <InboxItem question={question} isOpenAtFirst={inbox.questions.length === 1 && !inbox.more} />
              )}
            </InboxBoundary>
          </li>
        ))}
      </ul>
      {inbox.more && (
        <button type="button" data-countersign="inbox-button" data-kind="more" onClick={inbox.more}>
          {words.more}
        </button>
      )}
    </>
  );
}

const steps: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/** Moves the focus from the button of one row to the next. Keys in a card stay with the card. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key];
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
  if (step === undefined || !isPlain || !(event.target instanceof HTMLElement)) return;
  const rows = [
    ...event.currentTarget.querySelectorAll<HTMLElement>('[data-countersign="inbox-item-toggle"]'),
  ];
  const place = rows.indexOf(event.target);
  if (place === -1 && event.target !== event.currentTarget) return;
  event.preventDefault();
  rows[Math.max(0, Math.min(rows.length - 1, place + step))]?.focus();
}
