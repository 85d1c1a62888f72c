import { createConversationReader } from './conversation-reader.ts';
import {
  deleteRun,
  failureText,
  postAnswer,
  postMessage,
  postRetry,
  RefusedError,
  readOutput,
  type ToolEventsApis,
} from './tool-events-api.ts';
import type { ToolEventsAction } from './tool-events-state.ts';

/**
 * What a page can do with a conversation. Nothing throws: failures are dispatched. What reads the conversation resolves when
 * something else reads it, or it is closed.
 */
export type ToolEventsSession = {
  /** Reads a stored conversation, and follows it, also through messages that others send. */
  readonly open: (conversationId: string) => Promise<void>;
  /** Whether the response to a request is being read. */
  readonly isLive: () => boolean;
  readonly send: (text: string) => Promise<void>;
  readonly answer: (approvalId: string, approved: boolean, reason?: string) => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Makes a failed call of the last message again. */
  readonly retryCall: (toolCallId: string) => Promise<void>;
  /** Reads an output that was sent by reference. */
  readonly readOutput: (toolCallId: string, outputRef: string) => Promise<void>;
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

  /** @param onAccepted called before the stream is read */
  async function stream(
    open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>,
    onAccepted: () => void,
  ): Promise<void> {
    dispatch({ type: 'sending' });
    reader.hold();
    const controller = new AbortController();
    // Closing aborts the request too. A refusal must not abort the stream that is being read.
    const abort = () => controller.abort();
    const meanwhile = reader.signal;
    meanwhile.addEventListener('abort', abort, { once: true });
    try {
      const body = await open(controller.signal);
      meanwhile.removeEventListener('abort', abort);
      onAccepted();
      await reader.follow(body, controller);
    } catch (error) {
      if (controller.signal.aborted) return;
      reader.release();
      if (reader.isLive) fail(error);
      else await reader.readBack(failureText(error));
    }
  }

  function send(text: string): Promise<void> {
    unsent = text;
    const message = { message: text, conversationId: reader.conversationId };
    return stream(
      (signal) => postMessage(apis, message, signal),
      () => {
        unsent = undefined;
        dispatch({ type: 'accepted', text });
      },
    );
  }

  return {
    open: reader.open,
    isLive: () => reader.isLive,
    send,

    async answer(approvalId, approved, reason) {
      dispatch({ type: 'answered', approvalId });
      try {
        await postAnswer(apis, { approvalId, approved, reason: reason || undefined });
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

    async retryCall(toolCallId) {
      const { conversationId } = reader;
      if (conversationId === undefined) return;
      await stream(
        (signal) => postRetry(apis, { conversationId, toolCallId }, signal),
        () => {},
      );
    },

    async readOutput(toolCallId, outputRef) {
      try {
        dispatch({ type: 'output-read', toolCallId, output: await readOutput(apis, outputRef) });
      } catch (error) {
        fail(error);
      }
    },

    retry: () => (unsent === undefined ? reader.readBack() : send(unsent)),
    close: reader.close,
  };
}
