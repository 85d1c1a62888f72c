import type { UIMessage } from 'ai';
import type { ChatHelpers } from './testing-library.ts';

/** The result of a check: what was found, or what is missing. */
export type Observation<Found> = { readonly found: Found } | { readonly missing: string };

/** The state of a chat, for test failure messages. */
export function describeChat({ status, error, messages }: ChatHelpers): string {
  const parts = messages.at(-1)?.parts ?? [];
  const states = parts.map((part) => ('state' in part ? `${part.type} ${part.state}` : part.type));
  return [`status ${status}`, ...(error ? [`error: ${error.message}`] : []), states.join(', ')].join('; ');
}

/** Messages as sent: without the values that JSON omits. */
export function asSent(messages: readonly UIMessage[]): UIMessage[] {
  return JSON.parse(JSON.stringify(messages));
}
