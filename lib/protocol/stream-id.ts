import { CountersignError } from './errors.ts';
import { type ChatId, parseChatId, type RunId } from './ids.ts';

/** Names one run's stream to clients that ask for it by id alone: the chat and the run. @source contract B1, B18 */
export function formatStreamId(chatId: ChatId, runId: RunId): string {
  return `${chatId}.${runId}`;
}

/** @throws CountersignError `not-found`: no stream of ours has such an id */
export function parseStreamId(value: string): { readonly chatId: ChatId; readonly runId: RunId } {
  const [chatId, runId, ...rest] = value.split('.');
  if (chatId === undefined || !runId?.startsWith('run_') || rest.length > 0) {
    throw new CountersignError('not-found', 'There is no such stream.');
  }
  return { chatId: parseChatId(chatId), runId: runId as RunId };
}
