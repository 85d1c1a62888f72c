'use client';

import type { ComponentPropsWithoutRef } from 'react';
import { useInbox } from './inbox-context.ts';

/** Why the list is empty or not live: loading, empty, failed, reconnecting. Otherwise renders nothing. */
export function InboxStatus(props: ComponentPropsWithoutRef<'div'>) {
  const { inbox, words } = useInbox();
  const { status, connection, questions, refresh } = inbox;
  if (status === 'loading') {
    return (
      <div role="status" data-countersign="inbox-status" data-state="loading" {...props}>
        <p>{words.loading}</p>
      </div>
    );
  }
  if (status === 'failed') {
    return (
      <div role="alert" data-countersign="inbox-status" data-state="failed" {...props}>
        <p>{words.failed}</p>
        <button type="button" data-countersign="inbox-button" onClick={refresh}>
          {words.retry}
        </button>
      </div>
    );
  }
  if (connection === 'lost') {
    return (
      <div role="status" data-countersign="inbox-status" data-state="lost" {...props}>
        <p>{words.reconnecting}</p>
      </div>
    );
  }
  if (questions.length > 0) return null;
  return (
    <div data-countersign="inbox-status" data-state="empty" {...props}>
      <h2>{words.empty}</h2>
      <p>{words.emptyHint}</p>
    </div>
  );
}
