'use client';

import type { ComponentPropsWithoutRef, ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import type { Question } from '../../client/question.ts';
import { useInbox } from './inbox-context.ts';
import { InboxItem } from './inbox-item.tsx';

/** What `InboxList` takes, and any attribute of its `<ul>`. */
export type InboxListProps = Omit<ComponentPropsWithoutRef<'ul'>, 'children'> & {
  /** Draws one question in its `<li>`. Default: `InboxItem`. */
  readonly children?: (question: Question) => ReactNode;
};

/** The questions, oldest first. A single one is expanded. */
export function InboxList({ children, ...rest }: InboxListProps) {
  const { inbox, words, questions, setFilter } = useInbox();
  const list = useRef<HTMLUListElement>(null);
  useKeptFocus(list, questions);

  if (inbox.questions.length === 0) return null;
  if (questions.length === 0) {
    return (
      <div data-countersign="inbox-no-match">
        <p role="status">{words.noMatch}</p>
        <button type="button" data-countersign="inbox-button" onClick={() => setFilter({})}>
          {words.clearFilter}
        </button>
      </div>
    );
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noRedundantRoles: lists without bullets lose their role in Safari */}
      <ul ref={list} role="list" tabIndex={-1} data-countersign="inbox-list" {...rest}>
        {questions.map((question) => (
          <li
            key={question.id}
            data-countersign="inbox-row"
            data-state={question.state}
            data-risk={question.risk}
          >
            {children ? (
              children(question)
            ) : (
              <InboxItem question={question} isOpenAtFirst={inbox.questions.length === 1 && !inbox.more} />
            )}
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

/** When the focused question leaves, the list takes the focus, so that keyboard users keep their place. */
function useKeptFocus(list: React.RefObject<HTMLElement | null>, questions: readonly Question[]): void {
  const hadFocus = useRef(false);
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const note = () => {
      hadFocus.current = element.contains(document.activeElement);
    };
    element.addEventListener('focusin', note);
    const leave = (event: FocusEvent) => {
      // The focused element was removed, and nothing else took the focus.
      if (event.relatedTarget !== null) hadFocus.current = false;
    };
    element.addEventListener('focusout', leave);
    return () => {
      element.removeEventListener('focusin', note);
      element.removeEventListener('focusout', leave);
    };
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed list is what may have lost it
  useEffect(() => {
    if (hadFocus.current && document.activeElement === document.body)
      list.current?.focus({ preventScroll: true });
  }, [questions, list]);
}
