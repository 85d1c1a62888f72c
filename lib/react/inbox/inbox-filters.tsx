'use client';

import type { ComponentPropsWithoutRef } from 'react';
import { isFiltered } from '../../client/inbox/filter-questions.ts';
import type { Question } from '../../client/question.ts';
import { FilterRow } from './filter-row.tsx';
import { useInbox } from './inbox-context.ts';

/**
 * Filters the list by text, tool, risk, asker and age, and sorts it. Shows only controls with at least two
 * options.
 */
export function InboxFilters(props: ComponentPropsWithoutRef<'search'>) {
  const { inbox, words, questions: shown, filter, setFilter } = useInbox();
  const { questions } = inbox;
  if (questions.length + inbox.settled.length < 2 && !isFiltered(filter)) return null;
  const isSortable = questions.some(({ risk, deadline }) => risk ?? deadline);

  return (
    <FilterRow
      filter={filter}
      setFilter={setFilter}
      questions={questions}
      isSortable={isSortable || filter.sort !== undefined}
      {...props}
    >
      <p data-countersign="inbox-count">
        {words.count(countOpen(shown), countOpen(questions), inbox.more !== undefined)}
      </p>
    </FilterRow>
  );
}

function countOpen(questions: readonly Question[]): number {
  return questions.filter(({ state }) => state === 'open').length;
}
