import type { UIMessage } from 'ai';
import type { ApprovalFlow } from '../../../flow/approval-flow.ts';
import type { CountersignError, FlowEvent, Principal } from '../../../protocol/index.ts';
import { noRights } from '../../../rights/rights-to.ts';
import { storedChat } from '../../../views/chat/stored-chat.ts';
import { refuseParam } from '../errors.ts';
import { chatOfId, runOfId } from '../ids.ts';

/**
 * The chat as of the turn of an older response, for a branch. The turn is whole: what ran after its answers stays in the
 * branch, so that the model does not do it again.
 *
 * @param responseId the id of a response
 * @returns `undefined` for a response of the last turn, after which the chat goes on
 * @throws CountersignError `not-found` for a response that was never given, and for one of another person's chat
 * @source ADR 0014.12
 */
export async function chatBefore(
  flow: ApprovalFlow,
  principal: Principal,
  responseId: string,
): Promise<readonly UIMessage[] | undefined> {
  const chatId = chatOfId(responseId);
  const runId = runOfId(responseId);
  if (!chatId) throw unknown(responseId);
  const events = await flow.chats.timeline({ principal, chatId });
  const place = events.findIndex((event) => event.runId === runId);
  if (place === -1) throw unknown(responseId);
  // A turn begins with the same run id as its first run.
  const end = events.findIndex(
    (event, index) => index > place && event.runId !== runId && beginsTurn(event.type),
  );
  if (end === -1) return undefined;
  const view = {
    chat: { id: chatId, ownerId: principal.id },
    emitFrom: 0,
    replay: true,
    rights: () => noRights,
  };
  return storedChat(events.slice(0, end), view).messages;
}

function beginsTurn(type: FlowEvent['type']): boolean {
  return type === 'message-received' || type === 'history-cut';
}

function unknown(responseId: string): CountersignError {
  return refuseParam('not-found', 'previous_response_id', `There is no response ${responseId}.`);
}
