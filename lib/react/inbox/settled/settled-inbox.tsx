'use client';

import { type ComponentPropsWithoutRef, useRef } from 'react';
import { type InboxFilter, isFiltered } from '../../../client/inbox/filter-questions.ts';
import type { Question } from '../../../client/question.ts';
import { visibleText } from '../../../client/text/visible-text.ts';
import { ErrorBoundary } from '../../card/unshown/error-boundary.tsx';
import { Unshown } from '../../card/unshown/unshown.tsx';
import { useSettledWords } from '../../words/settled-words.ts';
import { FilterRow } from '../filter-row.tsx';
import { InboxFacts } from '../list/inbox-facts.tsx';
import { useKeptFocus } from '../use-kept-focus.ts';
import type { SettledQuestionsState } from './use-settled-questions.ts';

/** Props of `SettledInbox`, and any attribute of its `<section>`. */
export type SettledInboxProps = Omit<ComponentPropsWithoutRef<'section'>, 'children'> & {
  /** From `useSettledQuestions`, with the same `filter`. */
  readonly settled: SettledQuestionsState;
  readonly filter: InboxFilter;
  /** Called when the person changes the filter. */
  readonly onFilterChange: (filter: InboxFilter) => void;
  /** The address of the page of one question (`QuestionSheet`). */
  readonly questionHref: (question: Question) => string;
};

/** The questions of all chats that are no longer open, with a filter; each leads to its page. */
export function SettledInbox({ settled, filter, onFilterChange, questionHref, ...rest }: SettledInboxProps) {
  const words = useSettledWords();
  const { questions, known, status, more } = settled;
  const list = useRef<HTMLUListElement>(null);
  useKeptFocus(list, questions, (element) => element);
  const hasFilter = known.length > 1 || isFiltered(filter);
  return (
    <section
      aria-label={words.list}
      aria-busy={status === 'loading'}
      data-countersign="inbox"
      data-state={status}
      {...rest}
    >
      {hasFilter && (
        <FilterRow filter={filter} setFilter={onFilterChange} questions={known} isSortable={false} />
      )}
      <ul
        ref={list}
        // biome-ignore lint/a11y/noRedundantRoles: lists without bullets lose their role in Safari
        role="list"
        tabIndex={-1}
        hidden={questions.length === 0}
        data-countersign="inbox-briefs"
      >
        {questions.map((question) => (
          <li key={question.id} data-state={question.state}>
            <ErrorBoundary of={question.id} fallback={() => <Unshown value={question} />}>
              <Brief question={question} questionHref={questionHref} />
            </ErrorBoundary>
          </li>
        ))}
      </ul>
      <Status settled={settled} isSearch={isFiltered(filter)} clear={() => onFilterChange({})} />
      {more && (
        <button
          type="button"
          data-countersign="inbox-button"
          data-kind="more"
          aria-disabled={status === 'loading'}
          onClick={() => status !== 'loading' && more()}
        >
          {words.more}
        </button>
      )}
    </section>
  );
}

function Brief({ question, questionHref }: Pick<SettledInboxProps, 'questionHref'> & { question: Question }) {
  return (
    <>
      <a href={questionHref(question)}>{visibleText(question.description)}</a>
      <InboxFacts question={question} now={undefined} />
    </>
  );
}

/** The results, or why there are none. */
function Status({
  settled: { status, questions, searched, more, refresh },
  isSearch,
  clear,
}: {
  settled: SettledQuestionsState;
  isSearch: boolean;
  clear: () => void;
}) {
  const words = useSettledWords();
  if (status === 'failed') {
    return (
      <div role="alert" data-countersign="inbox-status" data-state="failed">
        <p>{words.failed}</p>
        <button type="button" data-countersign="inbox-button" onClick={refresh}>
          {words.retry}
        </button>
      </div>
    );
  }
  const isEmpty = questions.length === 0;
  if (isEmpty && !isSearch && status === 'ready') {
    return (
      <div data-countersign="inbox-status" data-state="empty">
        <h2>{words.empty}</h2>
        <p>{words.emptyHint}</p>
      </div>
    );
  }
  const found = isSearch && more ? words.searched(questions.length, searched) : isEmpty ? words.noMatch : '';
  return (
    <div data-countersign="inbox-no-match">
      <p role="status">{status === 'loading' ? words.loading : found}</p>
      {isEmpty && isSearch && (
        <button type="button" data-countersign="inbox-button" onClick={clear}>
          {words.clearFilter}
        </button>
      )}
    </div>
  );
}
