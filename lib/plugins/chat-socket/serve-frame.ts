import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import { type Principal, parseChatId } from '../../protocol/index.ts';
import type { SharedSettings } from '../../server/dialect.ts';
import { callOptionsField } from '../../server/requests/call-options.ts';
import { identify } from '../../server/route.ts';
import type { ClientFrame } from './client/schema.ts';
import { answerQuestion, beginMessage, cancelCallIn, retryCallIn, toolsFrame } from './requests.ts';
import { resumeTurn, type TurnName } from './resume-turn.ts';
import type { TurnReaders } from './turn-readers.ts';

const via = 'chat-socket';

/** What one frame needs: its socket's turns, and the upgrade request, by which each frame is authorized again. */
export type FrameServer = {
  readonly flow: ApprovalFlow;
  readonly settings: SharedSettings;
  readonly turns: TurnReaders;
  readonly handshake: Request;
};

/** A frame that asks something of the flow. */
export type ServedFrame = Exclude<ClientFrame, { type: 'ping' }>;

/**
 * Serves one frame. A turn that it begins is sent by `turns`, and counts as an open request until its end.
 *
 * Frames that end something are not counted, so that a client at its limit can get below it.
 *
 * @param body the frame with all its fields, for `callOptions`
 * @throws CountersignError `unauthenticated`, `rate-limited`, and what the flow's methods throw
 * @source D1, D15, D20-D24
 */
export async function serveFrame(
  server: FrameServer,
  frame: ServedFrame,
  body: () => unknown,
): Promise<void> {
  const { settings, turns, handshake } = server;
  const principal = await identify(settings, handshake);
  const isEnding = frame.type === 'cancel' || frame.type === 'tool_cancel';
  const release = isEnding ? () => {} : settings.concurrencyLimit.acquire('requests', principal);
  let isRead = false;
  const read: TurnReaders['read'] = (stream, options) => {
    turns.read(stream, { ...options, onEnd: release });
    isRead = true;
  };
  await handle(server, frame, { principal, body, read }).finally(() => isRead || release());
}

async function handle(
  { flow, settings, turns, handshake }: FrameServer,
  frame: ServedFrame,
  { principal, body, read }: { principal: Principal; body: () => unknown; read: TurnReaders['read'] },
): Promise<void> {
  async function readAgain(name: TurnName, options: Parameters<TurnReaders['read']>[1]): Promise<void> {
    const { stream, messageId, replay } = await resumeTurn(flow, principal, name);
    turns.detach(name.chatId, messageId);
    read(stream, { ...options, replay });
  }

  switch (frame.type) {
    case 'message': {
      const context = { request: handshake, principal, body: body() };
      const options = await callOptionsField(settings, context);
      const { chatId, stream } = await beginMessage(flow, principal, { frame, options, via });
      const shown = { streamsResults: frame.stream_results, acceptsApprovals: frame.accept_approvals };
      if (!stream.view.replay) return read(stream, shown);
      await stream.events.cancel();
      const clientMessage = { id: frame.client_message_id ?? '', text: frame.content.toWellFormed() };
      return readAgain({ chatId, clientMessage }, shown);
    }
    case 'resume':
      return readAgain(
        { chatId: parseChatId(frame.conversation_id), messageId: frame.message_id },
        { streamsResults: frame.stream_results, acceptsApprovals: frame.accept_approvals },
      );
    case 'cancel': {
      const named = frame.conversation_id;
      const chats = named === undefined ? turns.chats() : [parseChatId(named)];
      await Promise.all(chats.map((chatId) => flow.chats.stop({ principal, chatId })));
      return;
    }
    case 'tool_cancel':
      return cancelCallIn(flow, turns.chats(), principal, frame.tool_call_id);
    case 'tool_retry': {
      const stream = await retryCallIn(flow, turns.known(), principal, frame.tool_call_id);
      return read(stream, { acceptsApprovals: frame.accept_approvals });
    }
    case 'list_tools':
      return turns.send(await toolsFrame(flow));
    case 'tool_approval_response': {
      const stream = await answerQuestion(flow, principal, frame, via);
      // Another reader asked this question, so this socket reads the turn from the answer on.
      if (stream && !turns.reads(stream.view.chat.id)) read(stream, { acceptsApprovals: true });
      else await stream?.events.cancel();
      return;
    }
    default:
      return frame satisfies never;
  }
}
