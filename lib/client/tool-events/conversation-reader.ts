import type { ToolEvent } from '../../dialects/client.ts';
import { readToolEvents } from './read-tool-events.ts';
import {
  failureText,
  openStream,
  type ReadBack,
  readConversation,
  readQuestion,
  type ToolEventsApis,
} from './tool-events-api.ts';
import type { ToolEventsAction } from './tool-events-state.ts';

/** After a lost stream, and from a server without one while a run is active, the conversation is read again. Milliseconds. */
const rereadMs = 1_000;

/**
 * Reads one conversation, one way at a time: the stream of a message, or what is stored and what follows it.
 *
 * @param dispatch receives every action, in order
 * @source A20-A22, A26
 */
export function createConversationReader(apis: ToolEventsApis, dispatch: (action: ToolEventsAction) => void) {
  let conversationId: string | undefined;
  let current = new AbortController();
  let isLive = false;
  /** A request is under way, whose response is read next. */
  let isHeld = false;

  function attach(live: boolean, controller = new AbortController()): AbortSignal {
    current.abort();
    current = controller;
    isLive = live;
    isHeld = false;
    return controller.signal;
  }

  async function readBack(failure?: string): Promise<void> {
    const signal = attach(false);
    if (conversationId === undefined) {
      if (failure !== undefined) dispatch({ type: 'failed', failure });
      return;
    }
    try {
      for (let isOver = false; !isOver; failure = undefined) {
        const read = await readConversation(apis, conversationId, signal);
        if (signal.aborted) return;
        dispatch({ type: 'read-back', conversationId, ...read, failure });
        isOver = await followOn(conversationId, read, signal);
        if (signal.aborted) return;
      }
    } catch (error) {
      if (!signal.aborted) dispatch({ type: 'failed', failure: failureText(error) });
    }
  }

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
    } catch {
      // A broken stream is handled like one that ended.
    }
    await pause(rereadMs, signal);
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

  return {
    get conversationId() {
      return conversationId;
    },
    /** True while the response to a request is read. */
    get isLive() {
      return isLive;
    },
    /** Aborted when something else is read, and by `close`. */
    get signal() {
      return current.signal;
    },

    /**
     * For a request whose response is read next: stops following, which would show the new message a second time. The
     * response to an earlier request is read on.
     */
    hold(): void {
      if (!isLive) attach(false);
      isHeld = true;
    },

    /** The request was refused. */
    release(): void {
      isHeld = false;
    },

    open(id: string): Promise<void> {
      conversationId = id;
      return readBack();
    },

    /**
     * Reads what is stored, and follows what is added to it.
     *
     * @param failure shown with it
     */
    readBack,

    /**
     * Reads the stream of a message to its end, and then follows the conversation.
     *
     * @param controller of the stream's request
     */
    async follow(body: ReadableStream<Uint8Array<ArrayBuffer>>, controller: AbortController): Promise<void> {
      const signal = attach(true, controller);
      let failure: string | undefined;
      try {
        for await (const frame of readToolEvents(body)) {
          if (signal.aborted) return;
          if (frame.type === 'message_start') ({ conversationId } = frame);
          if (frame.type === 'error') failure = frame.message;
          take(frame, signal);
        }
      } catch {
        // A broken stream is handled like one that ended.
      }
      if (signal.aborted) return;
      isLive = false;
      if (isHeld) return;
      await readBack(conversationId === undefined ? failureText(undefined) : failure);
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
