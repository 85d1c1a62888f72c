import { reportMistake } from '../../../../client/http/mistake.ts';
import { sleep } from '../../../../protocol/clock/sleep.ts';
import type { ToolEvent } from '../index.ts';
import { readToolEvents } from './read-tool-events.ts';
import { openStream, type ReadBack, readQuestion, type ToolEventsApis } from './tool-events-api.ts';
import type { ToolEventsAction } from './tool-events-state.ts';

/** After a lost stream, and from a server without one while a run is active, the conversation is read again. Milliseconds. */
const rereadMs = 1_000;

/**
 * Follows a conversation after what is stored of it.
 *
 * @param dispatch receives every action, in order
 * @source A20-A22
 */
export function createFollower(apis: ToolEventsApis, dispatch: (action: ToolEventsAction) => void) {
  /**
   * Reads what follows a stored conversation, also messages that another page sends.
   *
   * @returns whether nothing more will follow; otherwise the conversation must be read again
   */
  async function followOn(
    id: string,
    { messages, lastEventId, isRunning }: ReadBack,
    signal: AbortSignal,
  ): Promise<boolean> {
    const body = await openStream(apis, { conversationId: id, lastEventId }, signal);
    if (!body && !isRunning) return true;
    const last = messages.at(-1)?.id;
    try {
      for await (const frame of body ? readToolEvents(body) : []) {
        if (signal.aborted) return true;
        if (frame.type === 'message_start' && frame.messageId !== last) return false;
        // The connection ends, not the message.
        if (frame.type === 'error' && frame.code === 'INTERNAL_ERROR') break;
        take(frame, signal);
      }
    } catch (error) {
      reportMistake(error);
      // A broken stream is handled like one that ended.
    }
    await sleep(rereadMs, signal);
    return false;
  }

  function take(frame: ToolEvent, signal: AbortSignal): void {
    dispatch({ type: 'received', frame });
    const isPartial = frame.type === 'approval_request' && !frame.question;
    if (isPartial) readAsked(frame.approvalId, signal);
  }

  /** From a server that does not send the question. If it cannot be read, the card shows what the frame has. */
  function readAsked(approvalId: string, signal: AbortSignal): void {
    readQuestion(apis, approvalId, signal).then(
      (question) => question && !signal.aborted && dispatch({ type: 'question-read', question }),
      () => {},
    );
  }

  return { followOn, take };
}
