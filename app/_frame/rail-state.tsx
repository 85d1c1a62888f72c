'use client';

import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { createContext, useCallback, useContext, useEffect, useMemo, useState } from 'react';

/** `auto`: beside the page on wide screens, a closed drawer on small ones. */
export type RailState = 'auto' | 'open' | 'closed';

/** Below this width the rail is a drawer over the page; `globals.css` uses the same number. */
const drawerQuery = '(max-width: 60rem)';

type RailControl = { state: RailState; toggle: () => void; close: () => void };

const RailContext = createContext<RailControl>({
  state: 'auto',
  toggle: () => undefined,
  close: () => undefined,
});

/** Whether the rail is shown. A drawer closes by Escape and by navigation. */
export function RailProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<RailState>('auto');
  const path = usePathname();

  const close = useCallback(() => {
    setState('auto');
    focusOpener();
  }, []);
  const toggle = useCallback(() => {
    const isDrawer = window.matchMedia(drawerQuery).matches;
    setState((now) => (now === 'auto' ? (isDrawer ? 'open' : 'closed') : 'auto'));
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path is what closes the drawer
  useEffect(() => {
    setState((now) => (now === 'open' ? 'auto' : now));
  }, [path]);

  useEffect(() => {
    if (state !== 'open') return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close();
    };
    // A wider window turns the drawer back into a column; the page must not stay shut off behind it.
    const query = window.matchMedia(drawerQuery);
    const onWidth = () => setState('auto');
    document.addEventListener('keydown', onKey);
    query.addEventListener('change', onWidth);
    return () => {
      document.removeEventListener('keydown', onKey);
      query.removeEventListener('change', onWidth);
    };
  }, [state, close]);

  const control = useMemo(() => ({ state, toggle, close }), [state, toggle, close]);
  return <RailContext value={control}>{children}</RailContext>;
}

/** Gives the focus back to the button that opened the drawer, once the page behind it can take it again. */
function focusOpener(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-controls="rail"]')?.focus());
}

/** The rail's state and the ways to change it. */
export function useRail(): RailControl {
  return useContext(RailContext);
}
