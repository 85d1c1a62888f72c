import { afterAll } from 'vitest';

/**
 * Counts what a suite did, and says it in one line when the suite has ended, so that a green run shows that
 * something was tried.
 *
 * @param suite what the line begins with
 */
export function countsOf<Name extends string>(suite: string, ...names: readonly Name[]) {
  const counts = new Map<Name, number>(names.map((name) => [name, 0]));
  afterAll(() => {
    const told = [...counts].map(([name, count]) => `${count.toLocaleString('en')} ${name}`);
    console.log(`${suite}: ${told.join(', ')}`);
  });
  return (name: Name, by = 1) => void counts.set(name, (counts.get(name) ?? 0) + by);
}
