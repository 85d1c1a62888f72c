import { z } from 'zod';
import { deleteEntry, loadPage } from '../_entries/entries-api.ts';
import type { EntriesSource } from '../_entries/use-entries.ts';

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

/** This person's sessions. Ending the current one signs out, which removes its cookie too, and leaves the page. */
export const sessions: EntriesSource<Session> = {
  async load(cursor) {
    const page = await loadPage('/api/sessions', pageSchema, cursor);
    return page && { items: page.sessions, nextCursor: page.nextCursor };
  },
  async remove({ id, current }) {
    const isEnded = await deleteEntry(current ? '/api/session' : `/api/sessions/${encodeURIComponent(id)}`);
    if (isEnded && current) window.location.assign('/');
    return isEnded;
  },
};
