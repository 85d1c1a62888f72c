import { z } from 'zod';
import { deleteEntry, loadPage } from '../_entries/entries-api.ts';
import type { EntriesSource } from '../_entries/use-entries.ts';

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

/** This person's remembered approvals. */
export const rememberedApprovals: EntriesSource<Remembered> = {
  async load(cursor) {
    const page = await loadPage('/api/remembered', pageSchema, cursor);
    return page && { items: page.remembered, nextCursor: page.nextCursor };
  },
  remove: ({ id }) => deleteEntry(`/api/remembered/${encodeURIComponent(id)}`),
};
