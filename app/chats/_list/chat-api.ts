/** One row of the chat list. `open` counts its open questions. @source S9 */
export type ChatSummary = {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: string;
  readonly open: number;
};

/** One page of chats, newest first. */
export type ChatPage = { readonly chats: readonly ChatSummary[]; readonly nextCursor?: string };

/** Loads one page of one's chats, newest first; `undefined` when the server cannot be reached, or sends something else. */
export async function listChats(cursor?: string): Promise<ChatPage | undefined> {
  const query = cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`;
  const response = await request(`/api/chat${query}`);
  return response?.ok ? readJson(response) : undefined;
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

async function readJson(response: Response): Promise<ChatPage | undefined> {
  try {
    const page: ChatPage | null = await response.json();
    return Array.isArray(page?.chats) ? page : undefined;
  } catch {
    return undefined;
  }
}
