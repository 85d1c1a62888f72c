import { z } from 'zod';
import type { Endpoint, MakeRoute } from '../../flow/plugin/http.ts';
import { CountersignError, type GrantId } from '../../protocol/index.ts';
import { rememberSchema } from '../../protocol/wire/remember.ts';
import { timeSchema } from '../../protocol/wire/time.ts';
import type { Immutable } from '../../protocol/wire/wire-object.ts';
import { isoTime } from '../../server/errors.ts';
import { pageQuery } from '../../server/requests/page-query.ts';
import type { RememberedMethods } from './methods.ts';
import type { Remembered } from './stored-approval.ts';

/** `GET /api/remembered`. @source ADR 0015 */
export const rememberedSchema = z.object({
  remembered: z.array(
    z.object({
      ...rememberSchema.shape,
      id: z.string(),
      toolName: z.string(),
      title: z.string().optional(),
      chatId: z.string().optional().describe('With the scope `chat`.'),
      input: z.unknown().optional().describe('The arguments that are covered, redacted.'),
      createdAt: timeSchema,
      approvalId: z.string().describe('The question with which the approval was given.'),
      uses: z.int().nonnegative(),
      lastUsedAt: timeSchema.optional(),
    }),
  ),
  nextCursor: z.string().optional(),
});

/** @see rememberedSchema */
type RememberedJson = Immutable<z.infer<typeof rememberedSchema>>;

/** The endpoints of the plugin: a list, and an approval to revoke. @source ADR 0015 */
export function rememberedEndpoints(
  { list, forget }: RememberedMethods,
  route: MakeRoute,
): readonly Endpoint[] {
  const GET = route(async ({ principal, query }) => {
    const page = await list({ principal, ...pageQuery(query) });
    const remembered = page.items.map(rememberedJson);
    return Response.json({ remembered, nextCursor: page.next } satisfies RememberedJson);
  });
  const DELETE = route(async ({ principal, segment }) => {
    await forget({ principal, grantId: parseGrantId(segment(0)) });
    return new Response(null, { status: 204 });
  });
  return [
    { path: '/remembered', methods: { GET } },
    { path: '/remembered/{grantId}', methods: { DELETE } },
  ];
}

/** @throws CountersignError `invalid-request` */
export function parseGrantId(value: string): GrantId {
  if (value.length >= 1 && value.length <= 256) return value as GrantId;
  const message = 'The id of a standing approval must be a string of 1 to 256 characters.';
  throw new CountersignError('invalid-request', message);
}

/** Fields that are not named here are not sent. */
function rememberedJson(remembered: Remembered): RememberedJson['remembered'][number] {
  const { id, toolName, title, scope, chatId, match, input, approvalId, uses, lastUsedAt } = remembered;
  return {
    id,
    toolName,
    title,
    scope,
    chatId,
    match,
    input,
    createdAt: isoTime(remembered.createdAt),
    approvalId,
    uses,
    lastUsedAt: lastUsedAt === undefined ? undefined : isoTime(lastUsedAt),
  };
}
