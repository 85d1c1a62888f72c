'use client';

import { useCallback, useEffect, useState } from 'react';
import { endSession, loadSessions, type Session } from './sessions-api.ts';

/** This person's sessions, and the way to end them. */
export type SessionList = {
  state: 'loading' | 'ready' | 'failed';
  items: readonly Session[];
  /** Loads older ones; absent when all are shown. */
  more: (() => void) | undefined;
  refresh: () => void;
  /** @returns whether it has ended */
  end: (session: Session) => Promise<boolean>;
};

/** Loads the list once; what is ended leaves it. */
export function useSessions(): SessionList {
  const [state, setState] = useState<SessionList['state']>('loading');
  const [items, setItems] = useState<readonly Session[]>([]);
  const [cursor, setCursor] = useState<string>();

  const load = useCallback(async (from?: string) => {
    const page = await loadSessions(from);
    setState(page === undefined ? 'failed' : 'ready');
    if (page === undefined) return;
    setItems((shown) => (from === undefined ? page.sessions : [...shown, ...page.sessions]));
    setCursor(page.nextCursor);
  }, []);
  useEffect(() => {
    void load();
  }, [load]);

  const end = async (session: Session) => {
    const done = await endSession(session);
    if (done) setItems((shown) => shown.filter(({ id }) => id !== session.id));
    return done;
  };
  return {
    state,
    items,
    more: cursor === undefined ? undefined : () => void load(cursor),
    refresh: () => void load(),
    end,
  };
}
