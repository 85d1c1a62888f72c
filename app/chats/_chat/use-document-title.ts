'use client';

import { useEffect } from 'react';

/** Names the browser tab after the chat; a mark in front says that a question waits. */
export function useDocumentTitle(title: string, isWaiting: boolean): void {
  useEffect(() => {
    document.title = `${isWaiting ? '● ' : ''}${title} · Countersign`;
  }, [title, isWaiting]);
}
