'use client';

import { useSyncExternalStore } from 'react';

/** The two ways the pages can talk to the server. */
export type TransportMode = 'sse' | 'bidi';

const key = 'countersign-transport';
const changed = 'countersign-transport-changed';

/** The transport that the person chose, remembered in this browser and shared between its tabs. */
export function useTransportMode(): readonly [TransportMode, (mode: TransportMode) => void] {
  const mode = useSyncExternalStore(subscribe, read, () => 'sse' as const);
  return [mode, write];
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('storage', onChange);
  window.addEventListener(changed, onChange);
  return () => {
    window.removeEventListener('storage', onChange);
    window.removeEventListener(changed, onChange);
  };
}

function read(): TransportMode {
  try {
    return localStorage.getItem(key) === 'bidi' ? 'bidi' : 'sse';
  } catch {
    return 'sse';
  }
}

function write(mode: TransportMode): void {
  try {
    localStorage.setItem(key, mode);
  } catch {
    // Storage can be switched off; the choice then holds for nothing but this call's readers.
  }
  window.dispatchEvent(new Event(changed));
}
