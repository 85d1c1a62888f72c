import { z } from 'zod';

/** The server's error object. Clients also show errors whose code they do not know. @source H-Errors */
export const refusalSchema = z.object({
  error: z.looseObject({
    code: z.string(),
    message: z.string().describe('What happened, to which id, and what to do.'),
  }),
});
