import { readToolEvents } from './read-tool-events.ts';
import { failureText, readConversation, readQuestion, type ToolEventsApis } from './tool-events-api.ts';
import type { ToolEventsAction } from './tool-events-state.ts';

/** This dialect cannot resume a stream, so an ongoing run is polled at this interval. Milliseconds. */
const rereadMs = 1_000;

/**
 * Reads one conversation, either from a stream or from storage, one at a time.
 *
 * @param dispatch receives every action, in order
 * @source A20-A22, A26
 */
export function createConversationReader(apis: ToolEventsApis, dispatch: (action: ToolEventsAction) => void) {
  let conversationId: string | undefined;
  let current = new AbortController();
  let isLive = false;

  function attach(live: boolean, controller = new AbortController()): AbortSignal {
    current.abort();
    current = controller;
    isLive = live;
    return controller.signal;
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
      if (!signal.aborted) dispatch({ type: 'failed', failure: failureText(error) });
    }
  }

  /** If it cannot be read, the card shows the content of the frame. */
  function readAsked(approvalId: string, signal: AbortSignal): void {
    readQuestion(apis, approvalId, signal).then(
      (question) => question && !signal.aborted && dispatch({ type: 'question-read', question }),
      () => {},
    );
  }

  return {
    get conversationId() {
      return conversationId;
    },
    /** True while a stream is read. */
    get isLive() {
      return isLive;
    },
    /** Aborted when something else is read, and by `close`. */
    get signal() {
      return current.signal;
    },

    open(id: string): Promise<void> {
      conversationId = id;
      return readBack();
    },

    /**
     * Reads the stored conversation until its run ends.
     *
     * @param failure shown with it
     */
    readBack,

    /**
     * Reads a stream to its end. If it ends early, reads the stored conversation.
     *
     * @param controller of the stream's request
     */
    async follow(body: ReadableStream<Uint8Array<ArrayBuffer>>, controller: AbortController): Promise<void> {
      const signal = attach(true, controller);
      let isOver = false;
      try {
        for await (const frame of readToolEvents(body)) {
          if (signal.aborted) return;
          if (frame.type === 'message_start') ({ conversationId } = frame);
          isOver ||= frame.type === 'message_end' || frame.type === 'error';
          dispatch({ type: 'received', frame });
          if (frame.type === 'approval_request') readAsked(frame.approvalId, signal);
        }
      } catch {
        // A broken stream is handled below, like one that ended early.
      }
      if (signal.aborted) return;
      isLive = false;
      if (!isOver) await readBack(conversationId === undefined ? failureText(undefined) : undefined);
    },

    close(): void {
      attach(false);
    },
  };
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
