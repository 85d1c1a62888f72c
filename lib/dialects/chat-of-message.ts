import type { Principal } from '../protocol/index.ts';
import { runtime } from '../runtime/runtime.ts';

/**
 * The id of the chat that a message without a chat starts. If the message is sent twice, both start the same chat. No
 * principal can name another's.
 *
 * @param messageId made by the client
 */
export async function chatOfMessage({ id }: Principal, messageId: string): Promise<string> {
  const digest = await crypto.subtle.digest(
    'SHA-256',
    new TextEncoder().encode(JSON.stringify([id, messageId])),
  );
  return runtime.toBase64url(new Uint8Array(digest));
}
