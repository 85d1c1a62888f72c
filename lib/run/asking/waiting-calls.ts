import type { Journal } from '../../log/journal.ts';
import type { Call } from '../../log/turn/turn.ts';
import type { ApprovalId, ChatId, EventBody, ToolCallId } from '../../protocol/index.ts';
import type { PendingQuestion, Settled } from './pending-question.ts';

/** A call that continues in this process. `Place`: the run to which it can be moved. */
export type WaitingCall<Place> = {
  readonly call: Call;
  readonly toolCallId: ToolCallId;
  /** What it asks now: its oldest question. */
  readonly question: PendingQuestion | undefined;
  /** Waits until it has ended, or asks. @returns its end, or nothing while it asks @throws Conflict */
  untilEndOrQuestion(): Promise<EventBody | undefined>;
  /** Resolves at the next change. */
  changes(): Promise<void>;
  /** Answers a question, if the call is still asking it. */
  settle(question: PendingQuestion, answer: Settled): void;
  /** Withdraws its current and future questions, because its run ends. */
  cancel(): void;
  /** Detaches it from its run: stopping the run no longer aborts it. */
  leave(): void;
  /** Moves it to the run that continues it. */
  moveTo(run: Place): void;
  /** Abandons it, because its turn continued without it. Its outcome is reported late. */
  abandon(): Promise<void>;
};

/** The calls of a suspended run that continue in this process, and the one that asks the open question. */
export type Waiting<Place> = {
  readonly calls: readonly WaitingCall<Place>[];
  readonly asking: WaitingCall<Place>;
  readonly question: PendingQuestion;
  readonly approvalId: ApprovalId;
};

/** The chat. After an erasure, a different chat may have its id. */
type WaitingIn<Place> = Waiting<Place> & { readonly createdAt: number; readonly turnSeq: number };

/** The part of a run that is needed to keep its calls. */
type Suspended = { readonly chatId: ChatId; readonly journal: Pick<Journal, 'head'> };

/**
 * The calls that wait for answers in this process, by chat. The run that the answer begins takes them back.
 *
 * @param onUnasked called when the asking call has ended without an answer
 * @source ADR 0037
 */
export function createWaitingCalls<Place extends Suspended>(onUnasked: (chatId: ChatId) => void) {
  const all = new Map<ChatId, WaitingIn<Place>>();

  async function untilUnasked({ asking, question }: Waiting<Place>): Promise<void> {
    while (asking.question === question) await asking.changes();
  }

  function remove(chatId: ChatId): WaitingIn<Place> | undefined {
    const waiting = all.get(chatId);
    all.delete(chatId);
    return waiting;
  }

  return {
    get: (chatId: ChatId): WaitingIn<Place> | undefined => all.get(chatId),
    chats: (): ChatId[] => [...all.keys()],

    put({ chatId, journal }: Place, waiting: Waiting<Place>): void {
      const { createdAt, turnSeq } = journal.head;
      all.set(chatId, { ...waiting, createdAt, turnSeq });
    },

    remove,

    /** Follows the call that asks. Call it when the question is durable. */
    watch(chatId: ChatId): void {
      const waiting = all.get(chatId);
      if (!waiting) return;
      void untilUnasked(waiting).then(() => {
        if (all.get(chatId) === waiting) onUnasked(chatId);
      });
    },

    /** Moves those of these calls that are here to their next run. @param answer what the run began with */
    take(
      run: Place,
      interrupted: readonly Call[],
      answer: Settled,
    ): { here: readonly WaitingCall<Place>[]; gone: readonly Call[] } {
      const waiting = remove(run.chatId);
      if (!waiting) return { here: [], gone: interrupted };
      const here = waiting.calls.filter(({ toolCallId }) =>
        interrupted.some(({ requested }) => requested.toolCallId === toolCallId),
      );
      for (const one of here) one.moveTo(run);
      for (const one of waiting.calls) if (!here.includes(one)) void one.abandon();
      waiting.asking.settle(waiting.question, answer);
      const gone = interrupted.filter(
        ({ requested }) => !here.some(({ toolCallId }) => toolCallId === requested.toolCallId),
      );
      return { here, gone };
    },
  };
}

export type WaitingCalls<Place extends Suspended> = ReturnType<typeof createWaitingCalls<Place>>;
