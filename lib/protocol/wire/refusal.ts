import { z } from 'zod';

/**
 * The server's error object as every version sends it. The server lists its codes (`errorSchema`); a client also shows errors
 * whose code it does not know.
 *
 * @source H-Errors
 */
export const refusalSchema = z.object({
  error: z.looseObject({
    code: z.string(),
    message: z.string().describe('What happened, to which id, and what to do.'),
  }),
});
