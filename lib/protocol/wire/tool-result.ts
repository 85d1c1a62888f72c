import { z } from 'zod';

/** The complete result of a call, for clients whose frames were cut. @source S12, D19 */
export const toolResultSchema = z.object({
  toolCallId: z.string(),
  toolName: z.string(),
  output: z.unknown().optional(),
  error: z.string().optional(),
});

export type ToolResultJson = z.infer<typeof toolResultSchema>;
