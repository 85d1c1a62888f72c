import { createConversationReader } from './conversation-reader.ts';
import {
  deleteRun,
  failureText,
  postAnswer,
  postMessage,
  RefusedError,
  type ToolEventsApis,
} from './tool-events-api.ts';
import type { ToolEventsAction } from './tool-events-state.ts';

/** What a page can do with a conversation. Nothing throws: failures are dispatched. */
export type ToolEventsSession = {
  /** Reads a stored conversation, and follows it until its run ends. */
  readonly open: (conversationId: string) => Promise<void>;
  /** Whether a stream is being read. */
  readonly isLive: () => boolean;
  readonly send: (text: string) => Promise<void>;
  readonly answer: (approvalId: string, approved: boolean, reason?: string) => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Repeats the failed action: sends the unsent message again, or else reads the conversation again. */
  readonly retry: () => Promise<void>;
  /** Stops reading; the run continues. The session can be used again. */
  readonly close: () => void;
};

const conflict = 409;

/**
 * One conversation: sends messages and answers, and reads what follows.
 *
 * @param dispatch receives every action, in order
 * @source A20-A22, A25, A26
 */
export function createToolEventsSession(
  apis: ToolEventsApis,
  dispatch: (action: ToolEventsAction) => void,
): ToolEventsSession {
  const reader = createConversationReader(apis, dispatch);
  let unsent: string | undefined;

  function fail(error: unknown): void {
    dispatch({ type: 'failed', failure: failureText(error) });
  }

  async function send(text: string): Promise<void> {
    dispatch({ type: 'sending' });
    const controller = new AbortController();
    // Closing aborts the request too. A refusal must not abort the stream that is being read.
    const abort = () => controller.abort();
    const meanwhile = reader.signal;
    meanwhile.addEventListener('abort', abort, { once: true });
    unsent = text;
    try {
      const message = { message: text, conversationId: reader.conversationId };
      const body = await postMessage(apis, message, controller.signal);
      meanwhile.removeEventListener('abort', abort);
      unsent = undefined;
      dispatch({ type: 'accepted', text });
      await reader.follow(body, controller);
    } catch (error) {
      if (!controller.signal.aborted) fail(error);
    }
  }

  return {
    open: reader.open,
    isLive: () => reader.isLive,
    send,

    async answer(approvalId, approved, reason) {
      dispatch({ type: 'answered', approvalId });
      try {
        await postAnswer(apis, { approvalId, approved, ...(reason ? { reason } : {}) });
      } catch (error) {
        // Another answer was first and counts. The stream reports it.
        const isSettled = error instanceof RefusedError && error.status === conflict;
        if (!isSettled) return reader.readBack(failureText(error));
      }
      if (!reader.isLive) await reader.readBack();
    },

    async stop() {
      const { conversationId } = reader;
      if (conversationId === undefined) return;
      try {
        await deleteRun(apis, conversationId);
        if (!reader.isLive) await reader.readBack();
      } catch (error) {
        fail(error);
      }
    },

    retry: () => (unsent === undefined ? reader.readBack() : send(unsent)),
    close: reader.close,
  };
}
