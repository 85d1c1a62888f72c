/** 128 bits. */
const idBytes = 16;

/**
 * Creates an id for a new chat: 22 base64url characters with 128 bits of system randomness. The `ai` package
 * makes ids from `Math.random`, which is guessable. A guessable chat id is unsafe: a message to an unused id
 * starts a chat, and a message to another person's chat is refused.
 *
 * @source ADR 0012
 */
export function createChatId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(idBytes));
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
