'use client';

import { type RefObject, useEffect, useRef } from 'react';

/** Selectors of what to focus, best first. */
type Wish = readonly string[];

/**
 * Moves the focus in a list whose items come, go and move: React drops it with the element that had it.
 *
 * @returns the list's element, and what to call before a change: the first of the selectors that matches then is focused
 */
export function useListFocus(): { list: RefObject<HTMLDivElement | null>; focusNext: (wish: Wish) => void } {
  const list = useRef<HTMLDivElement>(null);
  const next = useRef<Wish>([]);
  useEffect(() => {
    const wish = next.current;
    next.current = [];
    const found = wish.map((selector) => list.current?.querySelector<HTMLElement>(selector));
    found.find((element) => element)?.focus();
  });
  return {
    list,
    focusNext: (wish) => {
      next.current = wish;
    },
  };
}
