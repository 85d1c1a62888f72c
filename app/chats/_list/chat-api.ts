import { z } from 'zod';

const summarySchema = z.object({
  id: z.string(),
  title: z.string(),
  updatedAt: z.string(),
  open: z.number().catch(0),
});

const listSchema = z.object({ chats: z.array(summarySchema), nextCursor: z.string().optional() });

/** One row of the chat list. `open` counts its open questions. @source S9 */
export type ChatSummary = z.infer<typeof summarySchema>;

/** Loads one page of one's chats, newest first; `undefined` when the server cannot be reached. */
export async function listChats(cursor?: string): Promise<z.infer<typeof listSchema> | undefined> {
  const query = cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`;
  const response = await request(`/api/chat${query}`);
  return response?.ok ? listSchema.safeParse(await readJson(response)).data : undefined;
}

/** Gives a chat another title. @returns whether the server took it */
export async function renameChat(id: string, title: string): Promise<boolean> {
  const response = await request(chatPath(id), { method: 'PATCH', body: JSON.stringify({ title }) });
  return response?.ok ?? false;
}

/** Erases a chat. @returns whether it is gone, even if it no longer existed */
export async function deleteChat(id: string): Promise<boolean> {
  const response = await request(chatPath(id), { method: 'DELETE' });
  return response !== undefined && (response.ok || response.status === 404);
}

function chatPath(id: string): string {
  return `/api/chat/${encodeURIComponent(id)}`;
}

async function request(path: string, init: RequestInit = {}): Promise<Response | undefined> {
  try {
    // Unsafe requests are refused without this content type (H-Identity).
    return await fetch(path, { ...init, headers: { 'content-type': 'application/json' }, cache: 'no-store' });
  } catch {
    return undefined;
  }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}
