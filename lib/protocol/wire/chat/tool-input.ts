import { z } from 'zod';
import type { Immutable } from '../wire-object.ts';

export const toolInputSchema = z.object({
  toolCallId: z.string(),
  toolName: z.string(),
  title: z.string().optional(),
  delta: z.string().optional(),
  position: z.number().optional(),
});

/**
 * Arguments of a call that the model is writing: the data of a transient `data-tool-input` part. `delta` is
 * text of the arguments' JSON. An empty one begins or restarts the call; it has the call's `position` in the
 * order in which the turn produced everything. Without `delta`, the call will not be made.
 *
 * @source S17, T18
 */
export type ToolInputJson = Immutable<z.infer<typeof toolInputSchema>>;
