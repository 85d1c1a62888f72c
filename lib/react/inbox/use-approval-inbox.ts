'use client';

import { useEffect, useState, useSyncExternalStore } from 'react';
import { type ApprovalInboxOptions, type ApprovalInboxState, Inbox } from '../../client/inbox/inbox.ts';
import { useIsHydrated } from '../use-is-hydrated.ts';
import { useFeedSource } from './approval-feed.tsx';

/** `Inbox` for React, with the feed of the `ApprovalFeedProvider` above it, or its own. @source H9-H11 */
export function useApprovalInbox(options: ApprovalInboxOptions = {}): ApprovalInboxState {
  const source = useFeedSource();
  const given = { ...options, feed: options.feed ?? source };
  const isHydrated = useIsHydrated();
  // A router keeps what the server has sent, and shows it again when its questions may be settled.
  const [inbox] = useState(() => new Inbox(isHydrated ? { ...given, sent: undefined } : given));
  useEffect(() => inbox.setOptions(given));
  return useSyncExternalStore(inbox.subscribe, inbox.getState, inbox.getState);
}
