import type { UIMessage } from 'ai';
import type { ChatHelpers } from './testing-library.ts';

/** What a look at a chat found, or what it missed. */
export type Look<Found> = { readonly found: Found } | { readonly missing: string };

/** Where a chat stands, for a person who reads why a test failed. */
export function situationOf({ status, error, messages }: ChatHelpers): string {
  const parts = messages.at(-1)?.parts ?? [];
  const states = parts.map((part) => ('state' in part ? `${part.type} ${part.state}` : part.type));
  return [`status ${status}`, ...(error ? [`error: ${error.message}`] : []), states.join(', ')].join('; ');
}

/** Messages as they travel: without what JSON leaves out. */
export function travelled(messages: readonly UIMessage[]): UIMessage[] {
  return JSON.parse(JSON.stringify(messages));
}
