import { z } from 'zod';

const rememberedSchema = z.object({
  id: z.string(),
  toolName: z.string(),
  title: z.string().optional(),
  scope: z.enum(['chat', 'me']),
  chatId: z.string().optional(),
  match: z.enum(['tool', 'exact-arguments']),
  input: z.unknown().optional(),
  createdAt: z.string(),
  uses: z.number(),
  lastUsedAt: z.string().optional(),
});

const pageSchema = z.object({ remembered: z.array(rememberedSchema), nextCursor: z.string().optional() });

/** An approval that covers later calls as well. Times are ISO 8601. @source ADR 0015 */
export type Remembered = z.infer<typeof rememberedSchema>;

/** Loads one page of one's own, the newest first; `undefined` when the server cannot be reached. */
export async function loadRemembered(cursor?: string): Promise<z.infer<typeof pageSchema> | undefined> {
  const query = cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`;
  try {
    const response = await fetch(`/api/remembered${query}`, { cache: 'no-store' });
    return response.ok ? pageSchema.safeParse(await response.json()).data : undefined;
  } catch {
    return undefined;
  }
}

/** Revokes an approval. @returns whether it is gone, even if it did not exist any more */
export async function revoke(id: string): Promise<boolean> {
  try {
    const response = await fetch(`/api/remembered/${encodeURIComponent(id)}`, {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
    });
    return response.ok || response.status === 404;
  } catch {
    return false;
  }
}
