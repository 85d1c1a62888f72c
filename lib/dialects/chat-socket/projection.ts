import type { Call } from '../../log/turn/turn.ts';
import type { ChatId, FlowEvent } from '../../protocol/index.ts';
import type { Projection } from '../../views/reader/projection.ts';
import type { TurnItem } from '../../views/reader/read-turn.ts';
import { type CallFrameSettings, createCallFrames } from './call-frames.ts';
import type { ServerFrameInput } from './schema.ts';

/** What a reader of this dialect sets. */
export type MappingSettings = CallFrameSettings & { readonly conversationId: ChatId };

/** A turn that was cancelled while no tool ran. @source D21 */
const cancelled: ServerFrameInput = {
  type: 'error',
  code: 'TOOL_CANCELLED',
  message: 'The turn was cancelled.',
  recoverable: true,
};

/** A turn as the frames of one
 * socket, from the run for which it is read.
 *
 * @source D2, D3, D4, D5, D6, D7, D8, D9, D10, D11, D12, D13, D16, D19, D21, D23, D24
 */
export function createChatSocketProjection(settings: MappingSettings): Projection<ServerFrameInput> {
  const { conversationId } = settings;
  const callFrames = createCallFrames(settings);
  let hasCancelledCall = false;

  function complete({ turn: { messageId } }: TurnItem): ServerFrameInput[] {
    if (messageId === undefined) return [];
    return [{ type: 'complete', message_id: messageId, conversation_id: conversationId }];
  }

  function framesOfCall(call: Call, event: FlowEvent): ServerFrameInput[] {
    const frames = callFrames(call, event);
    hasCancelledCall ||= frames.some((frame) => frame.type === 'error' && frame.code === 'TOOL_CANCELLED');
    return frames;
  }

  return {
    apply(item) {
      const { event, call, isInResponse } = item;
      if (!isInResponse) return [];
      if ('toolCallId' in event) return call ? framesOfCall(call, event) : [];
      switch (event.type) {
        case 'text-delta':
          return [{ type: 'token', content: event.delta }];
        case 'run-cancelled':
          return hasCancelledCall || event.reason !== 'stopped'
            ? complete(item)
            : [cancelled, ...complete(item)];
        case 'run-completed':
          return complete(item);
        case 'run-failed':
          return [{ type: 'error', code: 'LLM_ERROR', message: event.error, recoverable: false }];
        default:
          return [];
      }
    },
  };
}
