'use client';

import { demoIdentities, switchUser } from './identity.ts';
import { useUser } from './identity-state.tsx';

/**
 * Signs the current person in again, for a question that needs it, and reloads the page: open connections belong to the
 * previous session. `undefined` for the local user, who has no sign-in.
 */
export function useStepUp(): (() => Promise<void>) | undefined {
  const user = useUser();
  const identity = demoIdentities.find(({ id }) => id === user?.id);
  if (!identity?.login) return undefined;
  return async () => {
    if (!(await switchUser(identity))) throw new Error('The demo login is disabled on this server.');
    window.location.reload();
    // Wait for the reload.
    await new Promise(() => {});
  };
}
