'use client';

import { useSyncExternalStore } from 'react';

/**
 * How a page reaches its server. `offline`: the browser has no network, or the last request did not arrive.
 * `reconnecting`: that is being mended. Neither stops a run.
 */
export type Connection = 'online' | 'reconnecting' | 'offline';

/** What a page has met. */
export type ConnectionFacts = {
  /** The last request did not reach the server. */
  readonly isCut: boolean;
  /** It is made again. */
  readonly isRetrying: boolean;
  /** The feed of questions broke off, and is opened again. */
  readonly isFeedLost: boolean;
};

/** The connection, from what the browser says and what the page has met. */
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
