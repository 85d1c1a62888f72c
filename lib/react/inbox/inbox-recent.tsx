'use client';

import type { ComponentPropsWithoutRef } from 'react';
import { useId } from 'react';
import { filterQuestions, isFiltered } from '../../client/inbox/filter-questions.ts';
import { useInbox } from './inbox-context.ts';
import { InboxBriefs } from './list/inbox-briefs.tsx';

const mostShown = 10;

/**
 * The questions settled since the page was opened, most recent first: only the first few, or all that match
 * the filter. Renders nothing if there are none.
 */
export function InboxRecent(props: ComponentPropsWithoutRef<'section'>) {
  const { inbox, words, filter, now } = useInbox();
  const headingId = useId();
  const { sort: _, ...matching } = filter;
  const settled = isFiltered(filter)
    ? filterQuestions(inbox.settled, matching, now)
    : inbox.settled.slice(0, mostShown);
  if (settled.length === 0) return null;
  return (
    <section aria-labelledby={headingId} data-countersign="inbox-recent" {...props}>
      <h2 id={headingId}>{words.recent}</h2>
      <InboxBriefs questions={settled} />
    </section>
  );
}
