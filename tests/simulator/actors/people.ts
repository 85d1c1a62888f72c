import type { Principal } from '../../../lib/protocol/index.ts';

/** All users of the instances. `mallory` owns nothing and may answer nothing. `dora` may answer what was handed to her. */
export const people = {
  ada: { id: 'ada', name: 'Ada' },
  ben: { id: 'ben', name: 'Ben' },
  cleo: { id: 'cleo', name: 'Cleo', role: 'manager' },
  dora: { id: 'dora', name: 'Dora' },
  mallory: { id: 'mallory', name: 'Mallory' },
} as const satisfies Record<string, Principal>;

export type PersonName = keyof typeof people;
export const owners: readonly PersonName[] = ['ada', 'ben'];
export const stranger: PersonName = 'mallory';

/** The signed-in users. A request names its user in a header. */
export function createSessions() {
  const signedOut = new Set<string>();
  return {
    authorize(request: Request): Principal | null {
      const name = request.headers.get('x-person') ?? '';
      return Object.hasOwn(people, name) && !signedOut.has(name) ? people[name as PersonName] : null;
    },
    signOut: (name: PersonName) => void signedOut.add(name),
    signIn: (name: PersonName) => void signedOut.delete(name),
    isSignedIn: (name: PersonName) => !signedOut.has(name),
  };
}
