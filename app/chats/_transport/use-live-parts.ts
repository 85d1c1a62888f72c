'use client';

import { useEffect, useMemo } from 'react';
import type { TransportMode } from './use-transport-mode.ts';

/** Loads what a chat needs for its first request. */
export const loadLiveParts = () => import('./live-parts.ts');

/** Loads the transport of the chosen mode. Switching keeps the chat: it always sends by the newest one. */
export function useLiveParts(mode: TransportMode) {
  const chosen = useMemo(() => {
    let parts: ReturnType<typeof choose> | undefined;
    const choose = async () => (await loadLiveParts()).liveParts(mode);
    const load = () => {
      parts ??= choose();
      // Loaded again at the next attempt.
      parts.catch(() => {
        parts = undefined;
      });
      return parts;
    };
    return { load, close: async () => (await parts)?.transport.close?.() };
  }, [mode]);
  // A socket that is closed may be opened again: React mounts twice in development.
  useEffect(() => () => void chosen.close().catch(() => {}), [chosen]);
  return chosen.load;
}
