import { afterAll } from 'vitest';

/**
 * Counts what a suite did, and prints it in one line at its end. So a passing run shows that something was tested.
 *
 * @param suite the start of the line
 */
export function countsOf<Name extends string>(suite: string, ...names: readonly Name[]) {
  const counts = new Map<Name, number>(names.map((name) => [name, 0]));
  afterAll(() => {
    const told = [...counts].map(([name, count]) => `${count.toLocaleString('en')} ${name}`);
    console.log(`${suite}: ${told.join(', ')}`);
  });
  return (name: Name, by = 1) => void counts.set(name, (counts.get(name) ?? 0) + by);
}
