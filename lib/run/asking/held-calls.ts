import type { Journal } from '../../log/journal.ts';
import type { Call } from '../../log/turn/turn.ts';
import type { ApprovalId, ChatId, EventBody, ToolCallId } from '../../protocol/index.ts';
import type { PendingQuestion, Settled } from './pending-question.ts';

/** A call that continues in this process. `Place`: the run to which it can be moved. */
export type HeldCall<Place> = {
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
export type Held<Place> = {
  readonly calls: readonly HeldCall<Place>[];
  readonly asking: HeldCall<Place>;
  readonly question: PendingQuestion;
  readonly approvalId: ApprovalId;
};

/** The chat. After an erasure, a different chat may have its id. */
type HeldIn<Place> = Held<Place> & { readonly createdAt: number; readonly turnSeq: number };

/** The part of a run that is needed to hold its calls. */
type Suspended = { readonly chatId: ChatId; readonly journal: Pick<Journal, 'head'> };

/**
 * The calls that wait for answers in this process, by chat. The run that the answer begins takes them back.
 *
 * @param onUnasked called when the asking call has ended without an answer
 * @source ADR 0037
 */
export function createHeldCalls<Place extends Suspended>(onUnasked: (chatId: ChatId) => void) {
  const all = new Map<ChatId, HeldIn<Place>>();

  async function untilUnasked({ asking, question }: Held<Place>): Promise<void> {
    while (asking.question === question) await asking.changes();
  }

  function remove(chatId: ChatId): HeldIn<Place> | undefined {
    const held = all.get(chatId);
    all.delete(chatId);
    return held;
  }

  return {
    get: (chatId: ChatId): HeldIn<Place> | undefined => all.get(chatId),
    chats: (): ChatId[] => [...all.keys()],

    put({ chatId, journal }: Place, held: Held<Place>): void {
      const { createdAt, turnSeq } = journal.head;
      all.set(chatId, { ...held, createdAt, turnSeq });
    },

    remove,

    /** Follows the call that asks. Call it when the question is durable. */
    watch(chatId: ChatId): void {
      const held = all.get(chatId);
      if (!held) return;
      void untilUnasked(held).then(() => {
        if (all.get(chatId) === held) onUnasked(chatId);
      });
    },

    /**
     * Moves those of these calls that are here to their next run.
     *
     * @param answer what the run began with
     */
    take(
      run: Place,
      interrupted: readonly Call[],
      answer: Settled,
    ): { here: readonly HeldCall<Place>[]; gone: readonly Call[] } {
      const held = remove(run.chatId);
      if (!held) return { here: [], gone: interrupted };
      const here = held.calls.filter(({ toolCallId }) =>
        interrupted.some(({ requested }) => requested.toolCallId === toolCallId),
      );
      for (const one of here) one.moveTo(run);
      for (const one of held.calls) if (!here.includes(one)) void one.abandon();
      held.asking.settle(held.question, answer);
      const gone = interrupted.filter(
        ({ requested }) => !here.some(({ toolCallId }) => toolCallId === requested.toolCallId),
      );
      return { here, gone };
    },
  };
}

/** @see createHeldCalls */
export type HeldCalls<Place extends Suspended> = ReturnType<typeof createHeldCalls<Place>>;
