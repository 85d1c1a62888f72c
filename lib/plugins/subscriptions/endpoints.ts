import { z } from 'zod';
import type { Endpoint, MakeRoute } from '../../flow/plugin/http.ts';
import { timeSchema } from '../../protocol/wire/time.ts';
import type { Immutable } from '../../protocol/wire/wire-object.ts';
import { isoTime } from '../../server/errors.ts';
import { pageQuery } from '../../server/requests/page-query.ts';
import type { SubscriptionMethods } from './methods.ts';

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

/** The endpoints of the plugin: 404 for everyone without the right (`mayOperate`). */
export function subscriptionEndpoints(methods: SubscriptionMethods, route: MakeRoute): readonly Endpoint[] {
  const list = route(async ({ principal, query }) => {
    const page = await methods.deadDeliveries({ principal, ...pageQuery(query) });
    const deliveries = page.items.map(({ failedAt, deadAt, ...delivery }) => ({
      ...delivery,
      failedAt: isoTime(failedAt),
      deadAt: isoTime(deadAt),
    }));
    return Response.json({ deliveries, nextCursor: page.next } satisfies DeliveriesJson);
  });
  const redeliver = route(async ({ principal, segment }) => {
    await methods.redeliver({ principal, subscriber: segment(1), eventId: segment(0) });
    return new Response(null, { status: 204 });
  });
  return [
    { path: '/operations/deliveries', methods: { GET: list } },
    { path: '/operations/deliveries/{subscriber}/{eventId}', methods: { POST: redeliver } },
  ];
}
