'use client';

import { visibleText } from 'countersign/react';
import { useEffect } from 'react';

/** Names the browser tab after the chat, also when the framework sets the title of the page later. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    // Browsers return a title with its white space collapsed.
    const named = `${visibleText(title)} · Countersign`.replace(/[\t\n\f\r ]+/g, ' ').trim();
    const apply = () => {
      // A count may stand in front.
      if (!document.title.endsWith(named)) document.title = named;
    };
    apply();
    const observer = new MutationObserver(apply);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [title]);
}
