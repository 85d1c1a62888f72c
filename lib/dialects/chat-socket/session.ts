import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import { CountersignError, type Principal, parseChatId } from '../../protocol/index.ts';
import { isCountersignError } from '../../server/errors.ts';
import { withConcurrencyLimit } from '../../server/limits/concurrency-limit.ts';
import { identify } from '../../server/route.ts';
import { checkServerSettings } from '../../server/server-settings.ts';
import type { OpenTextSession } from '../../server/text-socket.ts';
import { answerForClient } from '../answer-for-client.ts';
import { beginTurn } from '../begin-turn.ts';
import { errorFrame, parseClientFrame } from './frames.ts';
import { answerQuestion, cancelCallIn, retryCallIn, toolsFrame } from './requests.ts';
import type { ClientFrame } from './schema.ts';
import type { ChatSocketSettings } from './settings.ts';
import { createTurnReaders, type TurnReaders } from './turn-readers.ts';

const via = 'chat-socket';
const sessionEnded = 4401;

/** Frames of one socket that may wait for the ones before them. */
const maxWaiting = 64;

/**
 * The chat socket: `{ type: 'message', content }` begins a turn, whose tokens, tools and questions come as frames, to
 * `complete`. Each frame is authorized again. A refused frame gets an `error` frame, and the socket stays
 * open. Disconnecting ends no run.
 *
 * @returns begins one socket's session; `createSocketServer` of `countersign/bidi/server` gives it sockets
 * @throws CountersignError `invalid-settings` for settings that are misspelt or of the wrong kind, and without `authorize`
 * @source D1-D26
 */
export function createChatSocket(flow: ApprovalFlow, given: ChatSocketSettings): OpenTextSession {
  checkServerSettings('createChatSocket', given);
  const settings = withConcurrencyLimit(given);
  return (socket, handshake) => {
    const { logger, concurrencyLimit } = settings;
    const turns = createTurnReaders(socket, settings);
    /** Frames are served in order, so that a `cancel` finds the turn of the `message` before it. */
    let order: Promise<void> = Promise.resolve();
    let waiting = 0;

    /** Frames that end something are not counted, so that a client at its limit can get below it. */
    async function serve(frame: Exclude<ClientFrame, { type: 'ping' }>): Promise<void> {
      const principal = await identify(settings, handshake);
      const isEnding = frame.type === 'cancel' || frame.type === 'tool_cancel';
      const release = isEnding ? () => {} : concurrencyLimit.acquire('requests', principal);
      let isRead = false;
      const read: TurnReaders['read'] = (stream, options) => {
        turns.read(stream, { ...options, onEnd: release });
        isRead = true;
      };
      await handle(frame, principal, read).finally(() => isRead || release());
    }

    async function handle(
      frame: Exclude<ClientFrame, { type: 'ping' }>,
      principal: Principal,
      read: TurnReaders['read'],
    ): Promise<void> {
      switch (frame.type) {
        case 'message':
          return begin(frame, principal, read);
        case 'cancel': {
          const named = frame.conversation_id;
          const chats = named === undefined ? turns.chats() : [parseChatId(named)];
          await Promise.all(chats.map((chatId) => flow.stop({ principal, chatId })));
          return;
        }
        case 'tool_cancel':
          return cancelCallIn(flow, turns.chats(), principal, frame.tool_call_id);
        case 'tool_retry':
          return read(await retryCallIn(flow, turns.known(), principal, frame.tool_call_id));
        case 'list_tools':
          return turns.send(await toolsFrame(flow));
        case 'tool_approval_response': {
          const stream = await answerQuestion(flow, principal, frame, via);
          // Another reader asked this question, so this socket reads the turn from the answer on.
          if (stream && !turns.reads(stream.view.chat.id)) read(stream);
          else await stream?.events.cancel();
          return;
        }
        default:
          return frame satisfies never;
      }
    }

    async function begin(
      { content: text, conversation_id, stream_results }: Extract<ClientFrame, { type: 'message' }>,
      principal: Principal,
      read: TurnReaders['read'],
    ): Promise<void> {
      const { chatId, stream } = await beginTurn(flow, { principal, text, chatId: conversation_id, via });
      const { runId } = stream;
      if (runId) void answerForClient(flow, { principal, chatId, runId, via, asks: true, logger });
      read(stream, { streamsResults: stream_results });
    }

    async function refuse(frame: ClientFrame, error: unknown): Promise<void> {
      await turns.send({ ...errorFrame(error, logger), ...named(frame) });
      if (isCountersignError(error) && error.code === 'unauthenticated') {
        socket.close(sessionEnded, 'The session has ended.');
      }
    }

    return {
      receive(text) {
        const frame = parseClientFrame(text);
        if (!frame) {
          const message = 'This is no frame of this protocol, or a field of it is missing.';
          void turns.send({ type: 'error', code: 'INVALID_FORMAT', message });
          return;
        }
        if (frame.type === 'ping') {
          void turns.send({ type: 'pong' });
          return;
        }
        if (waiting >= maxWaiting) {
          void refuse(frame, new CountersignError('rate-limited', 'Too many frames wait. Send fewer.'));
          return;
        }
        waiting += 1;
        order = order
          .then(() => serve(frame))
          .catch((error: unknown) => refuse(frame, error))
          .finally(() => {
            waiting -= 1;
          });
      },
      leave: () => turns.leave(),
    };
  };
}

/** The ids that a refusal names. */
function named(frame: ClientFrame): {
  tool_call_id?: string;
  approval_id?: string;
  conversation_id?: string;
} {
  switch (frame.type) {
    case 'tool_cancel':
    case 'tool_retry':
      return { tool_call_id: frame.tool_call_id };
    case 'tool_approval_response':
      return { approval_id: frame.approval_id };
    case 'message':
    case 'cancel':
      return { conversation_id: frame.conversation_id };
    default:
      return {};
  }
}
