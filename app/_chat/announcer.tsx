'use client';

import type { ReactNode } from 'react';
import { createContext, useCallback, useContext, useState } from 'react';

const AnnounceContext = createContext<(words: string) => void>(() => undefined);

/** One live region for everything that screen readers are told without a change of focus. */
export function Announcer({ children }: { children: ReactNode }) {
  const [announcement, setAnnouncement] = useState({ words: '', count: 0 });
  const announce = useCallback((words: string) => {
    setAnnouncement(({ count }) => ({ words, count: count + 1 }));
  }, []);
  return (
    <AnnounceContext value={announce}>
      {children}
      <div className="visually-hidden" role="status">
        {/* A new key makes the same words, said twice, two announcements. */}
        <p key={announcement.count}>{announcement.words}</p>
      </div>
    </AnnounceContext>
  );
}

/** Says something to screen readers, politely. */
export function useAnnounce(): (words: string) => void {
  return useContext(AnnounceContext);
}
