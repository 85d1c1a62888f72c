import { readToolEvents } from './read-tool-events.ts';
import {
  deleteRun,
  postAnswer,
  postMessage,
  RefusedError,
  readConversation,
  type ToolEventsApis,
} from './tool-events-api.ts';
import type { ToolEventsAction } from './tool-events-state.ts';

/** What a page can do with a conversation. Nothing throws: failures are dispatched. */
export type ToolEventsSession = {
  /** Reads a stored conversation, and follows it until its run ends. */
  readonly open: (conversationId: string) => Promise<void>;
  readonly send: (text: string) => Promise<void>;
  readonly answer: (approvalId: string, approved: boolean, reason?: string) => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Repeats the failed action: sends the unsent message again, or else reads the conversation again. */
  readonly retry: () => Promise<void>;
  /** Stops reading; the run continues. The session can be used again. */
  readonly close: () => void;
};

/** This dialect cannot resume a stream, so an ongoing run is polled at this interval. Milliseconds. */
const rereadMs = 1_000;

const conflict = 409;

/**
 * One conversation's traffic, with one reader at a time: of a stream, or of what is stored.
 *
 * @param dispatch receives every action, in order
 * @source A20-A22, A25, A26
 */
export function createToolEventsSession(
  apis: ToolEventsApis,
  dispatch: (action: ToolEventsAction) => void,
): ToolEventsSession {
  let conversationId: string | undefined;
  let reader = new AbortController();
  let isLive = false;
  let unsent: string | undefined;

  function attach(live: boolean, controller = new AbortController()): AbortSignal {
    reader.abort();
    reader = controller;
    isLive = live;
    return controller.signal;
  }

  function fail(error: unknown): void {
    dispatch({ type: 'failed', failure: wordsFor(error) });
  }

  async function readBack(failure?: string): Promise<void> {
    const signal = attach(false);
    if (conversationId === undefined) {
      if (failure !== undefined) dispatch({ type: 'failed', failure });
      return;
    }
    try {
      for (let isRunning = true; isRunning; ) {
        const read = await readConversation(apis, conversationId, signal);
        if (signal.aborted) return;
        ({ isRunning } = read);
        dispatch({ type: 'read-back', conversationId, ...read, failure });
        if (isRunning) await pause(rereadMs, signal);
      }
    } catch (error) {
      if (!signal.aborted) fail(error);
    }
  }

  async function follow(body: ReadableStream<Uint8Array<ArrayBuffer>>, signal: AbortSignal): Promise<void> {
    let isOver = false;
    try {
      for await (const frame of readToolEvents(body)) {
        if (signal.aborted) return;
        if (frame.type === 'message_start') ({ conversationId } = frame);
        isOver ||= frame.type === 'message_end' || frame.type === 'error';
        dispatch({ type: 'received', frame });
      }
    } catch {
      // A broken stream is handled below, like one that ended early.
    }
    if (signal.aborted) return;
    isLive = false;
    if (!isOver) await readBack(conversationId === undefined ? wordsFor(undefined) : undefined);
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
      const body = await postMessage(apis, { message: text, conversationId }, controller.signal);
      meanwhile.removeEventListener('abort', abort);
      unsent = undefined;
      dispatch({ type: 'accepted', text });
      await follow(body, attach(true, controller));
    } catch (error) {
      if (!controller.signal.aborted) fail(error);
    }
  }

  return {
    async open(id) {
      conversationId = id;
      await readBack();
    },

    send,

    async answer(approvalId, approved, reason) {
      dispatch({ type: 'answered', approvalId });
      try {
        await postAnswer(apis, { approvalId, approved, ...(reason ? { reason } : {}) });
      } catch (error) {
        // Another answer was first and counts. The stream reports it.
        const isSettled = error instanceof RefusedError && error.status === conflict;
        if (!isSettled) return readBack(wordsFor(error));
      }
      if (!isLive) await readBack();
    },

    async stop() {
      if (conversationId === undefined) return;
      try {
        await deleteRun(apis, conversationId);
        if (!isLive) await readBack();
      } catch (error) {
        fail(error);
      }
    },

    retry: () => (unsent === undefined ? readBack() : send(unsent)),
    close() {
      reader.abort();
      reader = new AbortController();
      isLive = false;
    },
  };
}

function wordsFor(error: unknown): string {
  if (error instanceof RefusedError) return error.message;
  return 'Connection lost. The run continues on the server.';
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const onAbort = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
