import { z } from 'zod';
import { loadPage } from '../_entries/entries-api.ts';

const deliverySchema = z.object({
  subscriber: z.string(),
  eventId: z.string(),
  type: z.string(),
  chatId: z.string(),
  deadAt: z.string(),
  error: z.string(),
});

const pageSchema = z.object({ deliveries: z.array(deliverySchema), nextCursor: z.string().optional() });

/** An event that a subscriber did not get within a day. */
export type Delivery = z.infer<typeof deliverySchema>;

/** Reads the latest ones; `undefined` when the server cannot be reached, or refuses. */
export function loadDeliveries(): Promise<z.infer<typeof pageSchema> | undefined> {
  return loadPage('/api/operations/deliveries', pageSchema, undefined);
}

/** Asks the server to send one again. @returns whether it will, or somebody has asked already */
export async function sendAgain({ subscriber, eventId }: Delivery): Promise<boolean> {
  const path = [subscriber, eventId].map(encodeURIComponent).join('/');
  try {
    const headers = { 'content-type': 'application/json' };
    const { ok, status } = await fetch(`/api/operations/deliveries/${path}`, { method: 'POST', headers });
    return ok || status === 404;
  } catch {
    return false;
  }
}
