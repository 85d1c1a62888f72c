import { z } from 'zod';
import type { Endpoint, MakeRoute } from '../../flow/plugin/http.ts';
import { personSchema } from '../../protocol/wire/person.ts';
import { timeSchema } from '../../protocol/wire/time.ts';
import type { Immutable } from '../../protocol/wire/wire-object.ts';
import { isoTime } from '../../server/errors.ts';
import type { OperationsMethods } from './methods.ts';

/** `GET /api/operations`. */
export const operationsSchema = z.object({
  runs: z.array(
    z.object({
      chatId: z.string(),
      runId: z.string(),
      state: z
        .enum(['abandoned', 'silent'])
        .describe('No instance holds it, or nothing was recorded for ten minutes.'),
      waitsForPlugin: z
        .string()
        .optional()
        .describe('A plugin that the run needs and the responding instance lacks.'),
      since: timeSchema.describe('When an event was last recorded.'),
      maySeeChat: z.boolean(),
    }),
  ),
  outcomes: z.array(
    z.object({
      chatId: z.string(),
      toolCallId: z.string(),
      approvalId: z.string(),
      toolName: z.string(),
      title: z.string().optional(),
      since: timeSchema.describe('When the call ended.'),
      maySeeChat: z.boolean(),
      mayRecord: z.boolean().describe('Whether this person may record the outcome.'),
    }),
  ),
  chatsSearched: z.int().nonnegative().describe('How many chats were searched for `outcomes`.'),
  pauses: z.array(
    z.object({
      tool: z.string().optional().describe('Absent: every tool.'),
      reason: z.string(),
      by: personSchema,
      at: timeSchema,
    }),
  ),
});

/** @see operationsSchema */
type OperationsJson = Immutable<z.infer<typeof operationsSchema>>;

/** The endpoint of the plugin: 404 for everyone without the right (`mayOperate`). */
export function operationsEndpoints({ read }: OperationsMethods, route: MakeRoute): readonly Endpoint[] {
  const GET = route(async ({ principal }) => {
    const { runs, outcomes, chatsSearched, pauses } = await read({ principal });
    return Response.json({
      runs: runs.map((run) => ({ ...run, since: isoTime(run.since) })),
      outcomes: outcomes.map((outcome) => ({ ...outcome, since: isoTime(outcome.since) })),
      chatsSearched,
      pauses: pauses.map((pause) => ({ ...pause, at: isoTime(pause.at) })),
    } satisfies OperationsJson);
  });
  return [{ path: '/operations', methods: { GET } }];
}
