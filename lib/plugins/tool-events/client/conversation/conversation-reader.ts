import { reportMistake } from '../../../../client/http/mistake.ts';
import { createFollower } from './follow-conversation.ts';
import { readToolEvents } from './read-tool-events.ts';
import { failureText, readConversation, type ToolEventsApis } from './tool-events-api.ts';
import type { ToolEventsAction } from './tool-events-state.ts';

/**
 * Reads one conversation, one way at a time: the stream of a message, or what is stored and what follows it.
 *
 * @param dispatch receives every action, in order
 * @source A20-A22, A26
 */
export function createConversationReader(apis: ToolEventsApis, dispatch: (action: ToolEventsAction) => void) {
  const { followOn, take } = createFollower(apis, dispatch);
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

    /** Before a request: stops following, which would show the new message twice. An earlier response is read on. */
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

    /** Reads what is stored, and follows what is added to it. @param failure shown with it */
    readBack,

    /** Reads the stream of a message, then follows the conversation. @param controller of the stream's request */
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
      } catch (error) {
        reportMistake(error);
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
