import { createTurnText } from '../../dialects/turn-text.ts';
import { waitingText } from '../../dialects/waiting-text.ts';
import type { Call } from '../../log/turn/turn.ts';
import type { ChatId, EventOf } from '../../protocol/index.ts';
import type { Projection } from '../../views/reader/projection.ts';
import type { TurnItem } from '../../views/reader/read-turn.ts';
import { stepLimitDelta } from '../../views/step-limit.ts';
import { type CallFrameSettings, createCallFrames } from './call-frames.ts';
import type { ServerFrameInput, TurnFrame } from './client/schema.ts';
import type { Replay } from './resume-turn.ts';

/** What a reader of this dialect sets. */
export type MappingSettings = CallFrameSettings & {
  readonly conversationId: ChatId;
  /** The client shows questions. Default: a `token` describes each one that waits, and the reading ends. @source D10, D15 */
  readonly acceptsApprovals?: boolean;
  /** Set when the turn is read again from its start. */
  readonly replay?: Replay;
};

/** A turn that was cancelled while no tool ran. @source D21 */
const cancelled: TurnFrame = {
  type: 'error',
  code: 'TOOL_CANCELLED',
  message: 'The turn was cancelled.',
  recoverable: true,
};

/** A turn as the frames of one socket, from the run for which it is read. Every frame names the message and its chat.
 *
 * @source D2, D3, D4, D5, D6, D7, D8, D9, D10, D11, D12, D13, D15, D16, D19, D21, D23, D24
 */
export function createChatSocketProjection(settings: MappingSettings): Projection<ServerFrameInput> {
  const { conversationId, acceptsApprovals, replay } = settings;
  const callFrames = createCallFrames(settings);
  const turnText = createTurnText();
  let clientMessageId: string | undefined;
  let hasStarted = false;
  /** Whether the client has text of the turn, and of the step that is under way. */
  let hasText = false;
  let hasTextOfStep = false;
  let hasCancelledCall = false;

  function start(): TurnFrame[] {
    hasStarted = true;
    return [{ type: 'started', client_message_id: clientMessageId, replay: replay ? true : undefined }];
  }

  function framesOfCall(call: Call, { event, turn }: TurnItem): TurnFrame[] {
    const frames = callFrames(call, event);
    hasCancelledCall ||= frames.some((frame) => frame.type === 'error' && frame.code === 'TOOL_CANCELLED');
    if (event.type !== 'approval-requested' || frames.length === 0 || acceptsApprovals) return frames;
    if (replay?.settled.has(event.approvalId)) return frames;
    return [...frames, { type: 'token', content: waitingText(event, hasText) }, ...complete(turn)];
  }

  /** A step that was broken off begins again: its text takes the place of what the client has. */
  function restart(isAgain: boolean): TurnFrame[] {
    const mustReset = isAgain && hasTextOfStep;
    hasTextOfStep = false;
    return mustReset ? [{ type: 'reset', content: turnText.text }] : [];
  }

  function token({ seq, delta }: EventOf<'text-delta'>): TurnFrame[] {
    if (replay?.brokenOff.has(seq)) return [];
    hasText = true;
    hasTextOfStep = true;
    return [{ type: 'token', content: delta }];
  }

  function complete({ messageId }: TurnItem['turn']): TurnFrame[] {
    if (messageId === undefined) return [];
    return [{ type: 'complete', message_id: messageId, conversation_id: conversationId }];
  }

  function ended(item: TurnItem): TurnFrame[] {
    const { event, turn } = item;
    const content = stepLimitDelta(item, turnText.text !== '');
    const said: TurnFrame[] = content === undefined ? [] : [{ type: 'token', content }];
    // The turn went on after this end: a failed call was retried.
    if (replay && event.seq < replay.lastRun) return said;
    if (event.type === 'run-failed') {
      return [{ type: 'error', code: 'LLM_ERROR', message: event.error, recoverable: false }];
    }
    const isNews = event.type === 'run-cancelled' && event.reason === 'stopped' && !hasCancelledCall;
    return [...(isNews ? [cancelled] : said), ...complete(turn)];
  }

  function framesOf(item: TurnItem, isAgain: boolean): TurnFrame[] {
    const { event, call } = item;
    if ('toolCallId' in event) return call ? framesOfCall(call, item) : [];
    switch (event.type) {
      case 'step-started':
        return restart(isAgain);
      case 'text-delta':
        return token(event);
      case 'run-completed':
      case 'run-cancelled':
      case 'run-failed':
        return ended(item);
      default:
        return [];
    }
  }

  return {
    apply(item) {
      const { event, turn, isInResponse } = item;
      if (event.type === 'message-received') clientMessageId = event.messageId;
      const isAgain = turnText.apply(event);
      if (!isInResponse) return [];
      const opening = hasStarted || turn.messageId === undefined ? [] : start();
      const frames = [...opening, ...framesOf(item, isAgain)];
      const { messageId: message_id } = turn;
      const ids = { conversation_id: conversationId, ...(message_id !== undefined && { message_id }) };
      return frames.map((frame) => ({ ...frame, ...ids }));
    },
  };
}
