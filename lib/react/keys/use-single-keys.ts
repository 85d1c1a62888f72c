'use client';

import { useEffect, useState } from 'react';

const place = 'countersign-single-keys';

/**
 * Whether shortcuts of a single key are used, and how to change that (WCAG 2.1.4). Kept in this browser. On at first.
 */
export function useSingleKeys(): readonly [isOn: boolean, set: (isOn: boolean) => void] {
  const [isOn, setOn] = useState(true);
  useEffect(() => {
    if (read() === 'off') setOn(false);
  }, []);
  const set = (next: boolean) => {
    setOn(next);
    try {
      localStorage.setItem(place, next ? 'on' : 'off');
    } catch {
      // Without storage, the choice is valid until the page is left.
    }
  };
  return [isOn, set];
}

function read(): string | null {
  try {
    return localStorage.getItem(place);
  } catch {
    return null;
  }
}
