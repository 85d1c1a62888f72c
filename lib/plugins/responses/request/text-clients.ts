/**
 * Clients that neither show an approval request nor take one, by their user agent. Read from their sources:
 *
 * - Codex CLI and its editor extension: an item of an unknown type is dropped.
 * - `@ai-sdk/openai` 2: an output with an item of an unknown type is refused. `ai` 5, which it belongs to, sends its own name
 *   instead.
 */
const clientsOfText: readonly RegExp[] = [/^codex[_-]/i, /^ai\/5\./, /\bai-sdk\/openai\/2\./];

/** Whether questions must be asked in text, because the client shows no items that ask. @source ADR 0014.11 */
export function needsText(userAgent: string | null): boolean {
  return clientsOfText.some((pattern) => pattern.test(userAgent ?? ''));
}

/** Where people answer: the address that the client has reached. */
export function hostOf({ headers, url }: Request): string {
  return headers.get('host') ?? new URL(url).host;
}
