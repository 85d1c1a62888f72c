import { normalizeHeaders, resolve } from '@ai-sdk/provider-utils';
import type { HttpChatTransportInitOptions, UIMessage } from 'ai';

/** How to reach the chat API: the SDK's own settings, by their names. */
export type ChatApi = Pick<HttpChatTransportInitOptions<UIMessage>, 'headers' | 'credentials' | 'fetch'> & {
  /** The address of the chats, such as `/api/chat`. */
  readonly api: string;
};

/**
 * Stops a chat's run, whichever transport its stream came by.
 *
 * @throws Error with the server's JSON error object as its message
 * @source H5
 */
export async function cancelRun(
  { api, headers, credentials, fetch }: ChatApi,
  chatId: string,
): Promise<void> {
  const response = await (fetch ?? globalThis.fetch)(`${api}/${encodeURIComponent(chatId)}/run`, {
    method: 'DELETE',
    // The server refuses requests that a plain form of another site could have made.
    headers: { ...normalizeHeaders(await resolve(headers)), 'content-type': 'application/json' },
    credentials: await resolve(credentials),
  });
  if (response.ok) return;
  throw new Error((await response.text()) || `The run could not be stopped (status ${response.status}).`);
}
