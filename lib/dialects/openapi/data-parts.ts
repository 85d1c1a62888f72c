import { z } from 'zod';
import { draftSchema } from '../../protocol/wire/draft.ts';
import { lifecycleSchema } from '../../protocol/wire/lifecycle.ts';

/** The transient part that reports a change of a call. @source S2, T6 */
export const lifecyclePartSchema = z.object({
  type: z.literal('data-tool-lifecycle'),
  transient: z.literal(true),
  data: lifecycleSchema,
});

/** The transient part that shows text before it is released. @source S3, T6 */
export const draftPartSchema = z.object({
  type: z.literal('data-draft'),
  transient: z.literal(true),
  data: draftSchema,
});
