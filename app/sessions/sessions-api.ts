import { z } from 'zod';

const sessionSchema = z.object({
  id: z.string(),
  createdAt: z.string(),
  lastSeenAt: z.string(),
  until: z.string(),
  current: z.boolean(),
});

const pageSchema = z.object({ sessions: z.array(sessionSchema), nextCursor: z.string().optional() });

/** One sign-in of this person. Times are ISO 8601. @source ADR 0012 */
export type Session = z.infer<typeof sessionSchema>;

/** Loads one page of one's own, the newest first; `undefined` when the server cannot be reached. */
export async function loadSessions(cursor?: string): Promise<z.infer<typeof pageSchema> | undefined> {
  const query = cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`;
  try {
    const response = await fetch(`/api/sessions${query}`, { cache: 'no-store' });
    return response.ok ? pageSchema.safeParse(await response.json()).data : undefined;
  } catch {
    return undefined;
  }
}

/** Ends a session. The current one is signed out, which removes its cookie too. @returns whether it has ended */
export async function endSession({ id, current }: Session): Promise<boolean> {
  try {
    const response = await fetch(current ? '/api/session' : `/api/sessions/${encodeURIComponent(id)}`, {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
    });
    return response.ok || response.status === 404;
  } catch {
    return false;
  }
}
