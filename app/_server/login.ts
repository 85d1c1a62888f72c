import { CountersignError, type Principal } from 'countersign';
import { userIdOf } from 'countersign/http/server';
import { z } from 'zod';

const login = z.object({
  name: z.string().trim().min(1).max(60),
  role: z.string().trim().min(1).max(60).optional(),
});

/**
 * The user of a demo login. The same name is the same user, and also the user of an API key with that name.
 *
 * @throws CountersignError `invalid-request`
 */
export function parseLogin(body: unknown): Principal {
  const parsed = login.safeParse(body);
  if (!parsed.success) {
    throw new CountersignError(
      'invalid-request',
      'Sign in with { name, role? }, each of 1 to 60 characters.',
    );
  }
  const { name, role } = parsed.data;
  return { id: userIdOf(name), name, role };
}
