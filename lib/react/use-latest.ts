import { useCallback, useInsertionEffect, useRef } from 'react';

/**
 * A function that never changes and always calls the newest one. For effects and listeners, never while rendering.
 * React 18 has no `useEffectEvent`, and warns of layout effects on the server.
 */
export function useLatest<Args extends unknown[], Result>(
  callback: (...args: Args) => Result,
): (...args: Args) => Result {
  const latest = useRef(callback);
  useInsertionEffect(() => {
    latest.current = callback;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}
