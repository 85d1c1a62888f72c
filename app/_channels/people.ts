import type { Principal } from 'countersign';
import { userIdOf } from 'countersign/http/server';
import { z } from 'zod';

const peopleSchema = z.array(
  z.strictObject({
    name: z.string().trim().min(1).max(60),
    role: z.string().trim().min(1).max(60).optional(),
    slack: z
      .string()
      .regex(/^[UW][A-Z0-9]{2,}$/)
      .optional(),
    email: z.email().optional(),
  }),
);

/** A person whom channels can reach. The same name is the same user as in the demo login. */
export type ReachablePerson = {
  readonly principal: Principal;
  readonly slack?: string;
  readonly email?: string;
};

/**
 * Reads `COUNTERSIGN_PEOPLE`: the demo's directory, as JSON.
 *
 * @throws Error that names the variable and the expected value
 */
export function peopleFrom(value: string | undefined): readonly ReachablePerson[] {
  if (!value) return [];
  const { data } = peopleSchema.safeParse(parsed(value));
  if (data) {
    return data.map(({ name, role, slack, email }) => ({
      principal: { id: userIdOf(name), name, role },
      slack,
      email,
    }));
  }
  throw new Error(
    'COUNTERSIGN_PEOPLE is not valid. It must be JSON: [{ "name": "Ada", "role": "manager", "slack": "U0123456789", "email": "ada@example.com" }]. Only the name is required.',
  );
}

/** Looks up who a person is now, for answer links. */
export function personIn(people: readonly ReachablePerson[]): (id: string) => Principal | null {
  return (id) => people.find(({ principal }) => principal.id === id)?.principal ?? null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
