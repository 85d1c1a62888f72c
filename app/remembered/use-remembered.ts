'use client';

import { useCallback, useEffect, useState } from 'react';
import { loadRemembered, type Remembered, revoke } from './remembered-api.ts';

/** What this person had remembered, and the way to take it back. */
export type RememberedList = {
  state: 'loading' | 'ready' | 'failed';
  items: readonly Remembered[];
  /** Loads older ones; absent when all are shown. */
  more: (() => void) | undefined;
  refresh: () => void;
  /** @returns whether it is gone */
  takeBack: (id: string) => Promise<boolean>;
};

/** Loads the list, and again when one was taken back. */
export function useRemembered(): RememberedList {
  const [state, setState] = useState<RememberedList['state']>('loading');
  const [items, setItems] = useState<readonly Remembered[]>([]);
  const [cursor, setCursor] = useState<string>();

  const load = useCallback(async (from?: string) => {
    const page = await loadRemembered(from);
    setState(page === undefined ? 'failed' : 'ready');
    if (page === undefined) return;
    setItems((shown) => (from === undefined ? page.remembered : [...shown, ...page.remembered]));
    setCursor(page.nextCursor);
  }, []);
  useEffect(() => {
    void load();
  }, [load]);

  const takeBack = async (id: string) => {
    const done = await revoke(id);
    if (done) setItems((shown) => shown.filter((item) => item.id !== id));
    return done;
  };
  return {
    state,
    items,
    more: cursor === undefined ? undefined : () => void load(cursor),
    refresh: () => void load(),
    takeBack,
  };
}
