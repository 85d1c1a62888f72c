import { tool } from 'ai';
import { z } from 'zod';
import type { ToolDetails } from './details.ts';
import { ServiceUnavailableError } from './service-unavailable-error.ts';

const inputSchema = z.object({});

/** `broken_service`: every attempt responds with 503. @throws ServiceUnavailableError always */
export function brokenServiceTool() {
  return tool({
    title: 'Broken service',
    description: 'Call a service that is always unavailable.',
    inputSchema,
    execute: async (): Promise<{ readonly status: 'ok' }> => {
      throw new ServiceUnavailableError('broken');
    },
  });
}

/** How `broken_service` is presented. */
export const brokenServiceDetails: ToolDetails<z.infer<typeof inputSchema>> = {
  title: 'Broken service',
  risk: 'low',
  idempotent: true,
  retryable: true,
  describe: () => 'Calling the broken service',
};
