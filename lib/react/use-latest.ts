import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * A function that never changes and always calls the newest one. For effects and listeners, never while rendering.
 * React 18 has no `useEffectEvent`.
 */
export function useLatest<Args extends unknown[], Result>(
  callback: (...args: Args) => Result,
): (...args: Args) => Result {
  const latest = useRef(callback);
  useLayoutEffect(() => {
    latest.current = callback;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}
