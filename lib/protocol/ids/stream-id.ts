import type { ChatId, RunId } from './ids.ts';

/** The id of one run's stream, made of the chat and the run, for clients that request it by id alone. @source B1, B18 */
export function formatStreamId(chatId: ChatId, runId: RunId): string {
  return `${chatId}.${runId}`;
}
