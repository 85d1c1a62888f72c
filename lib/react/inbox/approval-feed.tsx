'use client';

import type { ReactNode } from 'react';
import { createContext, useContext, useEffect, useRef, useState } from 'react';
import { type ApprovalsApi, defaultApprovalsApi } from '../../client/inbox/approvals-api.ts';
import type { FeedConnection, FeedReader, FeedSource } from '../../client/inbox/feed/approval-feed-reader.ts';
import { readApprovalFeed } from '../../client/inbox/feed/read-approval-feed.ts';
import {
  ConnectionContext,
  type ConnectionStore,
  connectionOf,
  type ServerConnection,
} from '../connection/server-connection.ts';
import { useLatest } from '../use-latest.ts';

const FeedContext = createContext<FeedSource | undefined>(undefined);

/** The feed of the `ApprovalFeedProvider` above. */
export const useFeedSource = (): FeedSource | undefined => useContext(FeedContext);

/**
 * Keeps one connection to the feed of questions for everything below it. Without one, each reader has its own. It is also how
 * the components below know whether the server can be reached.
 */
export function ApprovalFeedProvider({
  api = defaultApprovalsApi,
  fetch,
  children,
}: Partial<ApprovalsApi> & { children: ReactNode }) {
  const readers = useRef(new Set<FeedReader>());
  const connection = useRef<FeedConnection>('connecting');
  const [subscribe] = useState<FeedSource>(() => (reader: FeedReader) => {
    readers.current.add(reader);
    if (connection.current !== 'connecting') reader.onConnection?.(connection.current);
    return () => readers.current.delete(reader);
  });
  const [server] = useState(createConnectionStore);

  useEffect(() => {
    connection.current = 'connecting';
    return readApprovalFeed(
      { api, fetch },
      {
        onEvent: (event) => {
          for (const reader of readers.current) reader.onEvent?.(event);
        },
        onClock: (aheadMs) => server.change({ ...server.read(), aheadMs }),
        onConnection: (now, outage) => {
          server.change(connectionOf(now, outage));
          // The start of an attempt does not change anything for readers of questions.
          if (connection.current === now) return;
          connection.current = now;
          for (const reader of readers.current) reader.onConnection?.(now, outage);
        },
      },
    );
  }, [api, fetch, server]);

  return (
    <FeedContext.Provider value={subscribe}>
      <ConnectionContext.Provider value={server}>{children}</ConnectionContext.Provider>
    </FeedContext.Provider>
  );
}

function createConnectionStore(): ConnectionStore & { readonly change: (now: ServerConnection) => void } {
  const readers = new Set<() => void>();
  let connection: ServerConnection = { isConnected: true };
  return {
    subscribe(onChange) {
      readers.add(onChange);
      return () => readers.delete(onChange);
    },
    read: () => connection,
    change(now) {
      const { aheadMs } = connection;
      connection = aheadMs === undefined ? now : { aheadMs, ...now };
      for (const onChange of readers) onChange();
    },
  };
}

/**
 * Calls back for each question that opens or settles while the component is mounted, and for the connection. Reads the
 * feed of the `ApprovalFeedProvider` above, or opens its own.
 *
 * @param approvals the address of its own feed; `false` for no feed
 */
export function useApprovalFeed(
  onEvent: NonNullable<FeedReader['onEvent']>,
  onConnection: NonNullable<FeedReader['onConnection']> = ignore,
  approvals: Partial<ApprovalsApi> | false = {},
): void {
  const { api = defaultApprovalsApi, fetch } = approvals || {};
  const isOff = approvals === false;
  const subscribe = useFeedSource();
  const onFeedEvent = useLatest(onEvent);
  const connected = useLatest(onConnection);
  useEffect(() => {
    if (isOff) return;
    const reader = { onEvent: onFeedEvent, onConnection: connected };
    return subscribe ? subscribe(reader) : readApprovalFeed({ api, fetch }, reader);
  }, [subscribe, api, fetch, isOff, onFeedEvent, connected]);
}

function ignore(): void {}
