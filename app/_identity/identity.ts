/** Who this browser acts as. */
export type User = { readonly id: string; readonly name: string; readonly role?: string };

/** An identity of the demo. Without a login it is the user of this machine. */
export type DemoIdentity = {
  readonly id: string;
  readonly label: string;
  readonly login?: { readonly name: string; readonly role?: string };
};

/** One who may not approve a large payment alone, a manager who may, and a director to whom releases are escalated. */
export const demoIdentities: readonly DemoIdentity[] = [
  { id: 'local', label: 'Local user' },
  { id: 'user:ada', label: 'Ada (manager)', login: { name: 'Ada', role: 'manager' } },
  { id: 'user:ben', label: 'Ben', login: { name: 'Ben' } },
  { id: 'user:dana', label: 'Dana (director)', login: { name: 'Dana', role: 'director' } },
];

/** Who this browser acts as; `undefined` if that is unknown. */
export async function loadUser(): Promise<User | undefined> {
  try {
    const first = await fetch('/api/session', { cache: 'no-store' });
    // The session has ended: its cookie was removed with this answer.
    const response = first.status === 401 ? await fetch('/api/session', { cache: 'no-store' }) : first;
    const { user }: { user?: User | null } = await response.json();
    return user ?? undefined;
  } catch {
    return undefined;
  }
}

/** Switches to another identity. @returns whether the server allows it */
export async function switchUser({ login }: DemoIdentity): Promise<boolean> {
  try {
    const response = await fetch('/api/session', {
      method: login ? 'POST' : 'DELETE',
      headers: { 'content-type': 'application/json' },
      body: login ? JSON.stringify(login) : undefined,
    });
    return response.ok;
  } catch {
    return false;
  }
}
