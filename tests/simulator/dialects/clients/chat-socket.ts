import type { PersonName } from '../../actors/people.ts';
import type { DialectClient, Reader, ReaderParts } from '../client.ts';
import { type Outcome, openSocket } from '../connections.ts';

/** Clients of the chat socket. */
export const chatSocket: DialectClient = {
  createReader: socketReader,
  send: ({ frame, command }, content) =>
    frame(command, { type: 'message', conversation_id: command.chatId, content }),
  answer: ({ frame, command }, { approvalId, approved }) =>
    frame(command, { type: 'tool_approval_response', approval_id: approvalId, approved }),
  stop: ({ frame, command }) =>
    frame({ ...command, does: 'cancel' }, { type: 'cancel', conversation_id: command.chatId }),
  retry: ({ frame, command }, toolCallId) =>
    frame(
      command,
      { type: 'resume', conversation_id: command.chatId },
      { type: 'tool_retry', tool_call_id: toolCallId },
    ),
  spy: ({ frame, command }) => frame(command, { type: 'resume', conversation_id: command.chatId }),
};

function socketReader({ world, history, reading }: ReaderParts): Reader {
  const { who, chatId, messageId } = reading;
  let connection = 0;
  return async (instance, { leaveAfter, stopped }) => {
    connection += 1;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    let frames = 0;
    const socket = await openSocket(instance, who as PersonName, (data) => {
      const isOfTurn = data.message_id === messageId;
      if (isOfTurn) reading.frames.push({ moment: history.moment(), connection, data });
      frames += 1;
      const end = endOfTurn(data, isOfTurn);
      if (end) world.after(20, () => resolve(end));
      else if (frames >= leaveAfter) resolve('again');
    });
    if (!socket) return 'again';
    socket.send({ type: 'resume', conversation_id: chatId, message_id: messageId, accept_approvals: true });
    void socket.closed.then(() => resolve('again'));
    void stopped.then(() => resolve('again'));
    const outcome = await promise;
    socket.close();
    return outcome;
  };
}

/** `complete`, or an error after which nothing of the turn follows. */
function endOfTurn(frame: Readonly<Record<string, unknown>>, isOfTurn: boolean): Outcome | undefined {
  if (frame.type === 'complete' && isOfTurn) return 'over';
  if (frame.type !== 'error' || frame.tool_call_id !== undefined || frame.recoverable === true)
    return undefined;
  if (isOfTurn && frame.code === 'LLM_ERROR') return 'over';
  if (frame.code === 'ACCESS_DENIED' && !/signed in/.test(String(frame.message))) return 'gone';
  return /gone/.test(String(frame.message)) ? 'gone' : 'again';
}
