'use client';

import { useSyncExternalStore } from 'react';

/**
 * Connection of a page to its server. `offline`: the browser has no network, or the last request did not arrive.
 * `reconnecting`: a retry is in progress. Neither stops a run.
 */
export type Connection = 'online' | 'reconnecting' | 'offline';

/** What a page knows about its connection. */
export type ConnectionFacts = {
  /** The last request did not reach the server. */
  readonly isCut: boolean;
  /** A retry is in progress. */
  readonly isRetrying: boolean;
  /** The feed of questions is disconnected, and reconnects. */
  readonly isFeedLost: boolean;
};

/** The connection, from the browser's network state and the page's requests. */
export function useConnection({ isCut, isRetrying, isFeedLost }: ConnectionFacts): Connection {
  const hasNetwork = useSyncExternalStore(subscribe, readNetwork, () => true);
  if (!hasNetwork) return 'offline';
  if (isCut) return isRetrying ? 'reconnecting' : 'offline';
  return isFeedLost ? 'reconnecting' : 'online';
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}

function readNetwork(): boolean {
  return navigator.onLine;
}
