/** 128 bits. */
const idBytes = 16;

/**
 * The id of a new chat: 22 characters of base64url, with 128 bits of the system's randomness. The ids that `ai` makes
 * come from `Math.random`, and others' ids must not be guessable: a message to an unused id begins a chat, and a message
 * to another's is refused.
 *
 * @source ADR 0012
 */
export function createChatId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(idBytes));
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
