'use client';

import { type RefObject, useEffect, useRef } from 'react';

/** Selectors of what to focus, best first. */
type Wish = readonly string[];

/**
 * Keeps the focus in a list whose items are added, removed and moved: React drops it with the focused
 * element.
 *
 * @returns the list's element, and a function to call before a change: the first selector that matches
 *   afterwards is focused
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
