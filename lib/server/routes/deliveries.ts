import { z } from 'zod';
import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import type { Route } from '../../flow/plugin/http.ts';
import { timeSchema } from '../../protocol/wire/time.ts';
import type { Immutable } from '../../protocol/wire/wire-object.ts';
import { isoTime } from '../errors.ts';
import { pageQuery } from '../requests/page-query.ts';
import { createRoute, type ServerSettings } from '../route.ts';

/** `GET /api/operations/deliveries`. @source ADR 0043 */
export const deliveriesSchema = z.object({
  deliveries: z.array(
    z.object({
      subscriber: z.string().describe('The id of the subscriber.'),
      eventId: z.string().describe('The same for each attempt.'),
      type: z.string(),
      chatId: z.string(),
      attempts: z.int().nonnegative(),
      failedAt: timeSchema.describe('When the first attempt failed.'),
      deadAt: timeSchema.describe('When it was given up.'),
      error: z.string().describe('Why the last attempt failed.'),
    }),
  ),
  nextCursor: z.string().optional(),
});

/** @see deliveriesSchema */
type DeliveriesJson = Immutable<z.infer<typeof deliveriesSchema>>;

/**
 * `GET /api/operations/deliveries`: deliveries to subscribers that were given up, last given up first; 404 for everyone
 * without the right (`mayOperate`).
 */
export function listDeliveries(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, query }) => {
    const page = await flow.subscriptions.deadDeliveries({ principal, ...pageQuery(query) });
    const deliveries = page.items.map(({ failedAt, deadAt, ...delivery }) => ({
      ...delivery,
      failedAt: isoTime(failedAt),
      deadAt: isoTime(deadAt),
    }));
    return Response.json({ deliveries, nextCursor: page.next } satisfies DeliveriesJson);
  });
}

/** `POST /api/operations/deliveries/{subscriber}/{eventId}`: sends one again; 404 without the right, or if it is not dead. */
export function redeliver(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, segment }) => {
    await flow.subscriptions.redeliver({ principal, subscriber: segment(1), eventId: segment(0) });
    return new Response(null, { status: 204 });
  });
}
