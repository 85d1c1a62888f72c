'use client';

import type { ComponentPropsWithoutRef } from 'react';
import { useId } from 'react';
import { InboxBriefs } from './inbox-briefs.tsx';
import { useInbox } from './inbox-context.ts';

const mostShown = 10;

/** The questions settled since the page was opened, the latest first. Renders nothing without any. */
export function InboxRecent(props: ComponentPropsWithoutRef<'section'>) {
  const { inbox, words } = useInbox();
  const headingId = useId();
  if (inbox.settled.length === 0) return null;
  return (
    <section aria-labelledby={headingId} data-countersign="inbox-recent" {...props}>
      <h2 id={headingId}>{words.recent}</h2>
      <InboxBriefs questions={inbox.settled.slice(0, mostShown)} />
    </section>
  );
}
