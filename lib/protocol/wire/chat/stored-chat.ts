import { z } from 'zod';
import { questionSchema } from '../question.ts';
import { chatStatusSchema } from './chat-status.ts';
import { draftSchema } from './draft.ts';

/** A chat as its page loads it: the response to `GET /api/chat/{chatId}`. @source H4 */
export const chatSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** The AI SDK's `UIMessage`s. Their parts are the SDK's to read. */
  messages: z.array(
    z.looseObject({
      id: z.string(),
      role: z.enum(['user', 'assistant']),
      parts: z.array(z.looseObject({ type: z.string() })),
    }),
  ),
  /** The text that is shown, but not yet released. */
  draft: z.string().optional(),
  /** The same, text by text, each with its place among the parts of the last message. */
  drafts: z.array(draftSchema).optional(),
  run: z.object({
    status: chatStatusSchema,
    /** The plugin that this run needs. The run continues on an instance that has it. */
    waitsForPlugin: z.string().optional(),
  }),
  /** The id of the open question. */
  open: z.string().optional(),
  /** Every question asked here, oldest first. */
  questions: z.array(questionSchema),
});
