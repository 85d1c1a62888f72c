'use client';

import type { ReactNode } from 'react';
import { createContext, useContext, useEffect, useState } from 'react';
import { loadUser, type User } from './identity.ts';

const UserContext = createContext<User | undefined>(undefined);

/** Knows the signed-in user, from the server or by loading it once: switching users reloads the page. */
export function IdentityProvider({ sent, children }: { sent?: User | undefined; children: ReactNode }) {
  const [user, setUser] = useState(sent);
  useEffect(() => {
    if (!sent) void loadUser().then(setUser);
  }, [sent]);
  return <UserContext value={user}>{children}</UserContext>;
}

/** Who this browser acts as; `undefined` until it is known. */
export function useUser(): User | undefined {
  return useContext(UserContext);
}
