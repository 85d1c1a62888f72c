import type { ApprovalFlow, Remembered } from '../flow/approval-flow.ts';
import { parseGrantId } from '../protocol/index.ts';
import { isoTime } from './errors.ts';
import { pageQuery } from './page-query.ts';
import { createRoute, type Route, type ServerSettings } from './route.ts';

/** A remembered approval as it travels. Times are ISO 8601 in UTC. */
export type RememberedJson = Omit<Remembered, 'by' | 'createdAt' | 'lastUsedAt'> & {
  readonly createdAt: string;
  readonly lastUsedAt?: string;
};

/** `GET /api/remembered`: what this person had remembered, the newest first. @source ADR 0015 */
export function listRemembered(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, query }) => {
    const page = await flow.remembered({ principal, ...pageQuery(query) });
    return Response.json({ remembered: page.items.map(rememberedJson), nextCursor: page.next });
  });
}

/** `DELETE /api/remembered/{id}`: takes one back, for good. @source ADR 0015 */
export function forgetRemembered(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, segment }) => {
    await flow.forget({ principal, grantId: parseGrantId(segment(0)) });
    return new Response(null, { status: 204 });
  });
}

/** Field by field: what is not named here does not travel. */
function rememberedJson(remembered: Remembered): RememberedJson {
  const { id, toolName, title, scope, chatId, match, input, approvalId, uses, lastUsedAt } = remembered;
  return {
    id,
    toolName,
    ...(title !== undefined && { title }),
    scope,
    ...(chatId !== undefined && { chatId }),
    match,
    ...(input !== undefined && { input }),
    createdAt: isoTime(remembered.createdAt),
    approvalId,
    uses,
    ...(lastUsedAt !== undefined && { lastUsedAt: isoTime(lastUsedAt) }),
  };
}
