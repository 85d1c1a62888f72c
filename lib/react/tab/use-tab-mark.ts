'use client';

import { useEffect } from 'react';
import { markIcon } from './mark-icon.ts';

/** A space with which no page title begins, so that only our own count is replaced. */
const counted = /^\(\d+\+?\)\u00a0/;

/**
 * Shows the number of waiting questions in the browser's tab: before the title, whatever the page sets it to,
 * and as a dot on the icon.
 *
 * @param count shown if it is at least 1: `(2) Inbox`
 * @param isAtLeast there are more that are not counted: `(50+) Inbox`
 */
export function useTabMark(count: number, isAtLeast = false): void {
  useEffect(() => {
    const mark = count > 0 ? `(${count}${isAtLeast ? '+' : ''})\u00a0` : '';
    const apply = () => {
      const title = mark + document.title.replace(counted, '');
      if (document.title !== title) document.title = title;
      markIcon(count > 0);
    };
    apply();
    // Every page sets its own title.
    const observer = new MutationObserver(apply);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      document.title = document.title.replace(counted, '');
      markIcon(false);
    };
  }, [count, isAtLeast]);
}
