import { z } from 'zod';
import type { Endpoint, MakeRoute } from '../../flow/plugin/http.ts';
import { personSchema } from '../../protocol/wire/person.ts';
import { timeSchema } from '../../protocol/wire/time.ts';
import type { Immutable } from '../../protocol/wire/wire-object.ts';
import { isoTime } from '../../server/errors.ts';
import { parseRequest } from '../../server/requests/parse-request.ts';
import type { RehearsalMethods } from './methods.ts';

const countSchema = z.int().nonnegative();
const decisionSchema = z
  .enum(['asked', 'allowed', 'denied', 'failed'])
  .describe('`failed`: the policy threw or returned an unknown status, so the call does not run.');
const countsSchema = z.object({
  asked: countSchema,
  allowed: countSchema,
  denied: countSchema,
  failed: countSchema,
});
const answerSchema = z.enum(['approved', 'edited', 'denied', 'remembered', 'none']);

/** The response of `GET /api/operations/rehearsal`. @source ADR 0046 */
export const rehearsalSchema = z.object({
  since: timeSchema,
  until: timeSchema,
  chats: countSchema.describe('Chats with at least one call in this period, rehearsed or not.'),
  calls: countSchema.describe('Calls in this period that were rehearsed.'),
  recorded: countsSchema.describe('How many of them have each recorded decision.'),
  rehearsed: countsSchema.describe('How many of them have each decision of the policy.'),
  changes: z
    .array(
      z.object({
        from: decisionSchema,
        to: decisionSchema,
        calls: countSchema,
        people: countSchema.describe('How many people asked for these calls.'),
        tools: z.record(z.string(), countSchema).describe('The number of calls by tool name.'),
        answers: z
          .record(answerSchema, countSchema)
          .optional()
          .describe('With `from: "asked"`: how the questions ended.'),
        examples: z.array(
          z.object({
            chatId: z.string(),
            toolCallId: z.string(),
            toolName: z.string(),
            title: z.string().optional(),
            description: z.string().optional(),
            input: z.unknown().describe('Without values that the tool keeps secret.'),
            at: timeSchema.describe('When the model made the call.'),
            askedBy: personSchema.optional(),
            reason: z.string().optional().describe('The reason that the policy gives.'),
            answer: answerSchema.optional(),
          }),
        ),
      }),
    )
    .describe('Calls for which the policy decides differently, most calls first.'),
  notRehearsed: z.object({
    'tool-removed': countSchema,
    'arguments-unfit': countSchema,
    subagent: countSchema,
    'agent-request': countSchema,
  }),
});

/** @see rehearsalSchema */
type RehearsalJson = Immutable<z.infer<typeof rehearsalSchema>>;

const timeError = { error: '`since` and `until` must be times as ISO 8601, such as 2026-11-25T09:00:00Z.' };
const querySchema = z.object({
  policy: z.string({ error: 'Give the name of the `policy`.' }),
  since: z.iso.datetime(timeError).transform((text) => Date.parse(text)),
  until: z.iso
    .datetime(timeError)
    .transform((text) => Date.parse(text))
    .optional(),
});

/** The response of `GET /api/operations/policies`. */
export const policiesSchema = z.object({
  policies: z.array(z.string()).describe('The names of the policies that can be rehearsed.'),
});

/** The endpoints of the plugin. 404 for everyone for whom `mayOperate` does not return `true`. */
export function rehearsalEndpoints(
  { run, policies }: RehearsalMethods,
  route: MakeRoute,
): readonly Endpoint[] {
  const read = route(async ({ principal, query }) => {
    const request = parseRequest(querySchema, Object.fromEntries(query));
    const { since, until, changes, ...counts } = await run({ principal, ...request });
    return Response.json({
      ...counts,
      since: isoTime(since),
      until: isoTime(until),
      changes: changes.map(({ examples, ...change }) => ({
        ...change,
        examples: examples.map((call) => ({ ...call, at: isoTime(call.at) })),
      })),
    } satisfies RehearsalJson);
  });
  const list = route(async ({ principal }) => {
    return Response.json({ policies: [...(await policies({ principal }))] } satisfies z.infer<
      typeof policiesSchema
    >);
  });
  return [
    { path: '/operations/rehearsal', methods: { GET: read } },
    { path: '/operations/policies', methods: { GET: list } },
  ];
}
