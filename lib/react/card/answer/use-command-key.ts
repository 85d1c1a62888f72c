'use client';

import { useSyncExternalStore } from 'react';

/** Name of the command key on this machine's keyboard: `⌘` on Apple devices, otherwise `Ctrl`. */
export function useCommandKey(): '⌘' | 'Ctrl' {
  return useSyncExternalStore(
    () => () => undefined,
    () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'),
    () => 'Ctrl',
  );
}
