import type { Principal } from '../../protocol/index.ts';
import type { Giver } from '../../rights/givers.ts';
import type { Delegation } from './delegation.ts';
import type { Directory } from './directory.ts';

/** The delegations to a person. */
export function delegationsTo(delegations: readonly Delegation[], { id }: Principal): readonly Delegation[] {
  return delegations.filter(({ to }) => to.id === id);
}

/**
 * What these delegations claim. Whether the givers have a right is not decided here. Each is looked up once, when the right is used,
 * because roles may have changed since.
 *
 * @source ADR 0049
 */
export function giversOf(directory: Directory, delegations: readonly Delegation[]): readonly Giver[] {
  const found = new Map<string, Promise<Principal | undefined>>();
  const personOnce = (id: string) => {
    const person = found.get(id) ?? directory.person(id);
    found.set(id, person);
    return person;
  };
  return delegations.map(({ from, toolNames }) => ({
    person: from,
    covers: ({ toolName }) => toolNames === undefined || toolNames.includes(toolName),
    current: () => personOnce(from.id),
  }));
}
