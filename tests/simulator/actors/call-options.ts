import { z } from 'zod';
import type { FlowSettings } from '../../../lib/flow/index.ts';
import type { ServerSettings } from '../../../lib/server/route.ts';

/** The call options of a request: which one it is. */
type Asked = { readonly ask: number };

/** What `prepareCall` makes of a turn: instructions, which each prompt shows. */
export function instructionsFor(options: Asked | undefined, principalId: string, chatId: string): string {
  return `ask ${options?.ask ?? 'none'} of ${principalId} in ${chatId}`;
}

/** A flow that is configured for each turn. */
export const preparedSettings: Partial<FlowSettings> = {
  callOptionsSchema: z.object({ ask: z.number() }).optional(),
  prepareCall: async ({ options, principal, chatId, ...rest }) => ({
    ...rest,
    instructions: instructionsFor(options as Asked | undefined, principal.id, chatId),
  }),
};

/** Takes the call options from the body of a request. */
export const callOptions: NonNullable<ServerSettings['callOptions']> = ({ body }) =>
  (body as { readonly callOptions?: Asked }).callOptions;
