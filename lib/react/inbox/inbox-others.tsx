'use client';

import type { ComponentPropsWithoutRef } from 'react';
import { useId } from 'react';
import { useInbox } from './inbox-context.ts';
import { InboxBriefs } from './list/inbox-briefs.tsx';

/** Questions in this person's chats that another person must answer. Renders nothing if there are none. */
export function InboxOthers(props: ComponentPropsWithoutRef<'section'>) {
  const { inbox, words } = useInbox();
  const headingId = useId();
  if (inbox.others.length === 0) return null;
  return (
    <section aria-labelledby={headingId} data-countersign="inbox-others" {...props}>
      <h2 id={headingId}>{words.others}</h2>
      <p>{words.othersHint}</p>
      <InboxBriefs questions={inbox.others} />
    </section>
  );
}
