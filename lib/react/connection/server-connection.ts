'use client';

import { createContext, useContext, useEffect, useRef, useSyncExternalStore } from 'react';
import type { FeedConnection, FeedOutage } from '../../client/inbox/feed/approval-feed-reader.ts';
import { useLatest } from '../use-latest.ts';

/** The connection of a page to its server, from the feed of the `ApprovalFeedProvider` above. */
export type ServerConnection = {
  /** Whether a request would arrive, as far as is known. True at first. */
  readonly isConnected: boolean;
  /** When the page tries again: epoch milliseconds of this machine. Absent during an attempt, and while connected. */
  readonly retryAt?: number;
  /** Tries again now. Absent while connected. */
  readonly retry?: () => void;
  /** How far the server's clock is ahead of this machine's, in milliseconds. Absent until it is known. */
  readonly aheadMs?: number;
};

/** Where components read the connection. */
export type ConnectionStore = {
  readonly subscribe: (onChange: () => void) => () => void;
  readonly read: () => ServerConnection;
};

const connected: ServerConnection = { isConnected: true };
const disconnected: ServerConnection = { isConnected: false };

/** Without a feed, the browser's network state. */
const ofBrowser: ConnectionStore = {
  subscribe(onChange) {
    window.addEventListener('online', onChange);
    window.addEventListener('offline', onChange);
    return () => {
      window.removeEventListener('online', onChange);
      window.removeEventListener('offline', onChange);
    };
  },
  read: () => (navigator.onLine ? connected : disconnected),
};

/** Holds the connection of the provider above. */
export const ConnectionContext = createContext<ConnectionStore>(ofBrowser);

/** The connection state derived from a feed: a server that refuses the feed is reachable. */
export function connectionOf(feed: FeedConnection, outage: FeedOutage | undefined): ServerConnection {
  if (feed !== 'lost' || outage === undefined || outage.isReached) return connected;
  const { retryAt, retry } = outage;
  return { isConnected: false, retryAt, retry };
}

/**
 * Whether the page is connected to its server, and when it tries again. Without an `ApprovalFeedProvider` above, only whether
 * the browser has a network.
 *
 * @source ADR 0038
 */
export function useServerConnection(): ServerConnection {
  const { subscribe, read } = useContext(ConnectionContext);
  return useSyncExternalStore(subscribe, read, () => connected);
}

/** Retries immediately when another request has reached the server. */
export function useRetryWhenReached(isReached: boolean): void {
  const { retry } = useServerConnection();
  const retryNow = useLatest(() => retry?.());
  useEffect(() => {
    if (isReached) retryNow();
  }, [isReached, retryNow]);
}

/** Calls back each time a lost connection is back. */
export function useReconnected(onReconnected: () => void): void {
  const { isConnected } = useServerConnection();
  const wasLost = useRef(false);
  const reconnected = useLatest(onReconnected);
  useEffect(() => {
    if (!isConnected) wasLost.current = true;
    else if (wasLost.current) {
      wasLost.current = false;
      reconnected();
    }
  }, [isConnected, reconnected]);
}
