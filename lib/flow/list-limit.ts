import type { Principal } from '../protocol/index.ts';

const mostAtOnce = 4;

export type ListLimit = <List>({ id }: Principal, read: () => Promise<List>) => Promise<List>;

/**
 * A list evaluates rules until its page is full, so a hundred lists of one person would delay everyone's.
 *
 * @source ADR 0012
 */
export function createListLimit(): ListLimit {
  const people = new Map<string, { reading: number; waiting: (() => void)[] }>();
  return async ({ id }, read) => {
    const person = people.get(id) ?? { reading: 0, waiting: [] };
    people.set(id, person);
    if (person.reading < mostAtOnce) person.reading += 1;
    // A list that ends starts the next one.
    else await new Promise<void>((resolve) => person.waiting.push(resolve));
    try {
      return await read();
    } finally {
      const next = person.waiting.shift();
      if (next) next();
      else person.reading -= 1;
      if (person.reading === 0) people.delete(id);
    }
  };
}
