import type { UIMessage } from 'ai';
import type { StoredChat } from '../stored-chat.ts';

/**
 * What a retry has to do, given the state on the server.
 *
 * @param stored the server's chat; absent when the server does not know it
 * @returns `send-again` when the last user message did not arrive, `run-again` when its run failed, else `follow`
 */
export function nextStep(
  stored: Pick<StoredChat, 'messages' | 'run'> | undefined,
  messages: readonly UIMessage[],
): 'send-again' | 'run-again' | 'follow' {
  const lastUser = messages.findLast((message) => message.role === 'user');
  const arrived = stored?.messages.some((message) => message.id === lastUser?.id) ?? false;
  if (stored === undefined || (lastUser !== undefined && !arrived)) return 'send-again';
  const isUnanswered = stored.run.status === 'idle' && stored.messages.at(-1)?.role === 'user';
  return stored.run.status === 'failed' || isUnanswered ? 'run-again' : 'follow';
}
