import { tool } from 'ai';
import { z } from 'zod';
import type { ToolDetails } from './details.ts';

const inputSchema = z.object({});

const outputSchema = z.object({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  accuracy: z.number().nonnegative().optional(),
});

type Output = z.infer<typeof outputSchema>;

/** `get_location`: executed by the client, in the browser. Degrees; `accuracy` in metres. */
export function getLocationTool() {
  return tool({
    title: 'Location',
    description: "Get the person's current location from their device.",
    inputSchema,
    outputSchema,
  });
}

/** How `get_location` is presented. */
export const getLocationDetails: ToolDetails<z.infer<typeof inputSchema>, Output> = {
  title: 'Location',
  risk: 'medium',
  idempotent: true,
  retryable: false,
  describe: () => 'Share the current location of this device with the assistant.',
  summarize: () => ({ summary: 'Location shared', resultCount: 1 }),
};
