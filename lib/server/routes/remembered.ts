import { z } from 'zod';
import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import type { Remembered } from '../../flow/features/remembered.ts';
import type { Route } from '../../flow/plugin/http.ts';
import { parseGrantId } from '../../protocol/index.ts';
import { rememberSchema } from '../../protocol/wire/remember.ts';
import { timeSchema } from '../../protocol/wire/time.ts';
import type { Immutable } from '../../protocol/wire/wire-object.ts';
import { isoTime } from '../errors.ts';
import { pageQuery } from '../requests/page-query.ts';
import { createRoute, type ServerSettings } from '../route.ts';

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
export type RememberedJson = Immutable<z.infer<typeof rememberedSchema>>;

/** `GET /api/remembered`: this person's remembered approvals, newest first. @source ADR 0015 */
export function listRemembered(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, query }) => {
    const page = await flow.remembered.list({ principal, ...pageQuery(query) });
    const remembered = page.items.map(rememberedJson);
    return Response.json({ remembered, nextCursor: page.next } satisfies RememberedJson);
  });
}

/** `DELETE /api/remembered/{id}`: revokes one. @source ADR 0015 */
export function forgetRemembered(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, segment }) => {
    await flow.remembered.forget({ principal, grantId: parseGrantId(segment(0)) });
    return new Response(null, { status: 204 });
  });
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
