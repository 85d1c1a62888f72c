import type { Journal } from '../../log/journal.ts';
import type { Call } from '../../log/turn/turn.ts';
import type { ApprovalId, ChatId, EventBody, ToolCallId } from '../../protocol/index.ts';
import type { PendingQuestion, Settled } from './pending-question.ts';

/** A call that goes on in this process. `Place`: the run to which it can be moved. */
export type HeldCall<Place> = {
  readonly call: Call;
  readonly toolCallId: ToolCallId;
  /** What it asks now: its oldest question. */
  readonly question: PendingQuestion | undefined;
  /** Waits until it has ended, or asks. @returns its end, or nothing while it asks @throws Conflict */
  rests(): Promise<EventBody | undefined>;
  /** Resolves at the next change. */
  changes(): Promise<void>;
  /** Answers a question, if it still asks it. */
  settle(question: PendingQuestion, answer: Settled): void;
  /** Withdraws what it asks, now and later: its run ends. */
  cancel(): void;
  /** Leaves its run: what stops the run does not abort it any more. */
  leave(): void;
  /** Moves it to the run that goes on with it. */
  moveTo(run: Place): void;
  /** Gives it up: its turn went on without it. What becomes of it is reported late. */
  abandon(): Promise<void>;
};

/** The calls of a suspended run that go on in this process, and which of them asks the open question. */
export type Held<Place> = {
  readonly calls: readonly HeldCall<Place>[];
  readonly asking: HeldCall<Place>;
  readonly question: PendingQuestion;
  readonly approvalId: ApprovalId;
};

/** In which chat: one that was erased may be followed by another one with its id. */
type HeldIn<Place> = Held<Place> & { readonly createdAt: number; readonly turnSeq: number };

/** A run, as far as its calls can be held. */
type Suspended = { readonly chatId: ChatId; readonly journal: Pick<Journal, 'head'> };

/**
 * The calls that wait for answers in this process, by chat. The run that the answer begins takes them back.
 *
 * @param onUnasked called when the call that asks has ended by itself
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
