import { CountersignError } from '../errors/errors.ts';
import { type ChatId, parseChatId, type RunId } from './ids.ts';

/** The id of one run's stream, made of the chat and the run, for clients that request it by id alone. @source B1, B18 */
export function formatStreamId(chatId: ChatId, runId: RunId): string {
  return `${chatId}.${runId}`;
}

/** @throws CountersignError `not-found`: the id is not a stream id */
export function parseStreamId(value: string): { readonly chatId: ChatId; readonly runId: RunId } {
  const [chatId, runId, ...rest] = value.split('.');
  if (chatId === undefined || !runId?.startsWith('run_') || rest.length > 0) {
    throw new CountersignError('not-found', 'Stream not found.');
  }
  return { chatId: parseChatId(chatId), runId: runId as RunId };
}
