'use client';

import { useSyncExternalStore } from 'react';

const never = () => () => {};

/**
 * Whether this renders in the browser only. False on the server and while its HTML is hydrated: both must render the same, and the
 * server has another clock, another zone and another language.
 */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
