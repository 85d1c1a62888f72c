'use client';

import { useReconnected } from 'countersign/react';
import { useCallback, useEffect, useState } from 'react';

/** One page of entries, the newest first. */
export type EntriesPage<Entry> = { readonly items: readonly Entry[]; readonly nextCursor?: string };

/** Where entries come from. Keep the object stable between renders. */
export type EntriesSource<Entry> = {
  /** @returns `undefined` when the server cannot be reached */
  load(cursor?: string): Promise<EntriesPage<Entry> | undefined>;
  /** @returns whether it is gone */
  remove(entry: Entry): Promise<boolean>;
};

/** This person's entries, and how to remove them. */
export type Entries<Entry> = {
  readonly state: 'loading' | 'ready' | 'failed';
  readonly items: readonly Entry[];
  /** Loads older ones; absent when all are shown. */
  readonly more: (() => void) | undefined;
  refresh(): void;
  /** @returns whether it is gone */
  remove(entry: Entry): Promise<boolean>;
};

/** Loads the list once. A removed entry leaves it. */
export function useEntries<Entry extends { readonly id: string }>(
  source: EntriesSource<Entry>,
): Entries<Entry> {
  const [state, setState] = useState<Entries<Entry>['state']>('loading');
  const [items, setItems] = useState<readonly Entry[]>([]);
  const [cursor, setCursor] = useState<string>();

  const load = useCallback(
    async (from?: string) => {
      const page = await source.load(from);
      setState(page === undefined ? 'failed' : 'ready');
      if (page === undefined) return;
      setItems((shown) => (from === undefined ? page.items : [...shown, ...page.items]));
      setCursor(page.nextCursor);
    },
    [source],
  );
  useEffect(() => {
    void load();
  }, [load]);

  useReconnected(() => void load());

  return {
    state,
    items,
    more: cursor === undefined ? undefined : () => void load(cursor),
    refresh: () => void load(),
    async remove(entry) {
      const done = await source.remove(entry);
      if (done) setItems((shown) => shown.filter(({ id }) => id !== entry.id));
      return done;
    },
  };
}
