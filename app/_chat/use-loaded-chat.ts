'use client';

import { useCallback, useEffect, useState } from 'react';
import type { StoredChat } from './chat-api.ts';
import { loadChat } from './chat-api.ts';

/** A chat on its way from the server. */
export type Loading =
  | { type: 'loading' }
  | { type: 'missing' }
  | { type: 'failed'; again: () => void }
  | { type: 'ready'; chat: StoredChat };

/**
 * Loads a chat for its page.
 *
 * @param isNew the chat begins on this page; there is nothing to load
 */
export function useLoadedChat(id: string, isNew: boolean): Loading {
  const [attempt, setAttempt] = useState(0);
  const again = useCallback(() => setAttempt((count) => count + 1), []);
  const [loading, setLoading] = useState<Loading>(() =>
    isNew ? { type: 'ready', chat: emptyChat(id) } : { type: 'loading' },
  );
  const begun = loading.type === 'ready';

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt is what loads again
  useEffect(() => {
    if (begun) return;
    let isCurrent = true;
    setLoading({ type: 'loading' });
    void loadChat(id).then((loaded) => {
      if (!isCurrent) return;
      if (loaded.type === 'loaded') setLoading({ type: 'ready', chat: loaded.chat });
      else setLoading(loaded.type === 'missing' ? loaded : { type: 'failed', again });
    });
    return () => {
      isCurrent = false;
    };
  }, [id, begun, attempt, again]);

  return loading;
}

function emptyChat(id: string): StoredChat {
  return { id, title: 'New chat', messages: [], run: { status: 'idle' } };
}
