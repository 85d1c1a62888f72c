import { z } from 'zod';
import { draftSchema } from '../../protocol/wire/chat/draft.ts';
import { lifecycleSchema } from '../../protocol/wire/chat/lifecycle.ts';
import { messageChangedSchema } from '../../protocol/wire/chat/message-changed.ts';
import { toolInputSchema } from '../../protocol/wire/chat/tool-input.ts';

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

/** The transient part that shows a call while the model writes it. @source S17, T18 */
export const toolInputPartSchema = z.object({
  type: z.literal('data-tool-input'),
  transient: z.literal(true),
  data: toolInputSchema,
});

/** The transient part that names an earlier message that has changed. @source S18, H8 */
export const messageChangedPartSchema = z.object({
  type: z.literal('data-message-changed'),
  transient: z.literal(true),
  data: messageChangedSchema,
});
