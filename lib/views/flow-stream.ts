import type { ChatId, FlowEvent, MessageId, Question, RunId } from '../protocol/index.ts';
import type { QuestionMarks, QuestionRights } from '../rights/question-rights.ts';

/**
 * Where a response ends: with its run; for clients that stay connected while a question is open, with the turn; for
 * clients that read later turns as well, with the chat.
 */
export type StreamEnd = 'run' | 'turn' | 'chat';

/** A reader's place in a turn, and its rights. */
export type StreamView = {
  readonly chat: { readonly id: ChatId; readonly ownerId: string };
  /** Chunks come from events with `seq >= emitFrom`; earlier events only give context. */
  readonly emitFrom: number;
  /** For a replay (H2): includes what the sender of a request already has. */
  readonly replay: boolean;
  /** An earlier message that has changed since its last response. */
  readonly changed?: MessageId;
  readonly rights: (question: Question) => QuestionRights & QuestionMarks;
};

/** One turn's events from its first on, live until the response ends. Cancelling detaches the reader only. */
export type FlowStream = {
  readonly events: ReadableStream<FlowEvent>;
  readonly view: StreamView;
  /** The run that the stream begins with; `null` when nothing runs and nothing ran. */
  readonly runId: RunId | null;
  /**
   * Calls back once, when the flow closes: this instance adds no more events, and another one may continue the run. Returns a
   * function that ends it.
   */
  readonly onClose?: (callback: () => void) => () => void;
};
