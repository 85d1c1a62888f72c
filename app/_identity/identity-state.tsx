'use client';

import type { ReactNode } from 'react';
import { createContext, useContext, useEffect, useState } from 'react';
import { loadUser, type User } from './identity.ts';

const UserContext = createContext<User | undefined>(undefined);

/** Loads the signed-in user once: switching users reloads the page. */
export function IdentityProvider({ children }: { children: ReactNode }) {
  const [user, setUser] = useState<User>();
  useEffect(() => {
    void loadUser().then(setUser);
  }, []);
  return <UserContext value={user}>{children}</UserContext>;
}

/** Who this browser acts as; `undefined` until it is known. */
export function useUser(): User | undefined {
  return useContext(UserContext);
}
