import type { ChatsApi } from '../chat/stored-chat.ts';

/** What a person found out about a call whose outcome is unknown. */
export type OutcomeToRecord = {
  /** It happened, or it did not. */
  readonly outcome: 'completed' | 'not-run';
  /** How that is known; shared with the model. At most 2,000 characters. */
  readonly note?: string;
};

/**
 * Records an outcome. A 409 is not a failure: another outcome was recorded first and counts.
 *
 * @throws Error with the server's message when the outcome was refused
 * @source ADR 0019
 */
export async function postOutcome(
  { api = '/api/chat', fetch = globalThis.fetch }: ChatsApi,
  { chatId, toolCallId }: { readonly chatId: string; readonly toolCallId: string },
  outcome: OutcomeToRecord,
): Promise<void> {
  const path = `${encodeURIComponent(chatId)}/outcomes/${encodeURIComponent(toolCallId)}`;
  const response = await fetch(`${api}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(outcome),
  });
  if (response.ok) return;
  const text = await response.text();
  if (!text.includes('"already-answered"')) throw new Error(text);
}
