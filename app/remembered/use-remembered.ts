'use client';

import { useCallback, useEffect, useState } from 'react';
import { loadRemembered, type Remembered, revoke } from './remembered-api.ts';

/** This person's remembered approvals, and how to revoke them. */
export type RememberedList = {
  state: 'loading' | 'ready' | 'failed';
  items: readonly Remembered[];
  /** Loads older ones; absent when all are shown. */
  more: (() => void) | undefined;
  refresh: () => void;
  /** @returns whether it is gone */
  revokeOne: (id: string) => Promise<boolean>;
};

/** Loads the list once. A revoked approval leaves it. */
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

  const revokeOne = async (id: string) => {
    const done = await revoke(id);
    if (done) setItems((shown) => shown.filter((item) => item.id !== id));
    return done;
  };
  return {
    state,
    items,
    more: cursor === undefined ? undefined : () => void load(cursor),
    refresh: () => void load(),
    revokeOne,
  };
}
