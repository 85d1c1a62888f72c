'use client';

import { useEffect, useState } from 'react';

/**
 * Code that few pages need.
 *
 * @param load must be the same function each time
 * @returns `undefined` until it is loaded, and if it cannot be
 */
export function useLoaded<Code extends object>(load: () => Promise<Code>): Code | undefined {
  const [code, setCode] = useState<Code>();
  useEffect(() => {
    let isMounted = true;
    load().then(
      (loaded) => isMounted && setCode(loaded),
      () => {},
    );
    return () => {
      isMounted = false;
    };
  }, [load]);
  return code;
}
