import { tool } from 'ai';
import { z } from 'zod';
import type { ToolDetails } from './details.ts';
import { ServiceUnavailableError } from './service-unavailable-error.ts';

/** The number of calls that are remembered. Beyond it the oldest is dropped, which limits memory. */
const mostRemembered = 1_000;

const inputSchema = z.object({});

type Output = { readonly status: 'ok'; readonly attempts: number };

/**
 * `flaky_service`: the first attempt of every call responds with 503, the second succeeds.
 *
 * @throws ServiceUnavailableError at the first attempt with a tool call id
 */
export function flakyServiceTool() {
  const failedOnce = new Set<string>();
  return tool({
    title: 'Flaky service',
    description: 'Call a service whose first attempt fails and whose second succeeds.',
    inputSchema,
    execute: async (_input: z.infer<typeof inputSchema>, { toolCallId }): Promise<Output> => {
      if (failedOnce.delete(toolCallId)) return { status: 'ok', attempts: 2 };
      failedOnce.add(toolCallId);
      const [oldest] = failedOnce;
      if (failedOnce.size > mostRemembered && oldest !== undefined) failedOnce.delete(oldest);
      throw new ServiceUnavailableError('flaky');
    },
  });
}

/** How `flaky_service` is presented. */
export const flakyServiceDetails: ToolDetails<z.infer<typeof inputSchema>, Output> = {
  title: 'Flaky service',
  risk: 'low',
  idempotent: true,
  retryable: true,
  describe: () => 'Calling the flaky service',
  summarize: ({ attempts }) => ({ summary: `Answered on attempt ${attempts}`, resultCount: 1 }),
};
