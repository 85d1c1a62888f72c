'use client';

import { useEffect, useState } from 'react';

const place = 'countersign-single-keys';

/**
 * Whether single-key shortcuts are on, and a function to change that (WCAG 2.1.4). Stored in this browser. On
 * by default.
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
      // Without storage, the choice lasts until the page is closed.
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
