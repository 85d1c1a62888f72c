import { z } from 'zod';
import { questionSchema } from './question.ts';

/** A page of questions: the response to `GET /api/approvals`. @source H9 */
export const approvalsSchema = z.object({
  approvals: z.array(questionSchema),
  /** Present while there are more. */
  nextCursor: z.string().optional(),
  searched: z
    .int()
    .nonnegative()
    .optional()
    .describe('With `state=settled`: how many questions were searched for this page.'),
});
