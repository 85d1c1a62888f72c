import type { EventBody, FlowEvent, RunId } from '../protocol/index.ts';
import { createBatchWriter, type WriterOptions } from './journal/batch-writer.ts';
import { createFlushes } from './journal/flushes.ts';
import { createLogEnd } from './journal/log-end.ts';
import { createStagedEvents } from './journal/staged-events.ts';
import type { Auditor } from './seal/auditor.ts';
import type { RecordWrite } from './store/index.ts';
import type { Turn } from './turn/turn.ts';

/** How much text is collected before it is made durable. */
const flushAtCharacters = 2_000;

/** What a journal needs. @see createJournal */
type JournalOptions = WriterOptions & {
  /** The open turn as of `head`; the journal keeps it up to date. */
  readonly turn: Turn;
  /** Seals the audit entries, when there is a key. */
  readonly auditor?: Auditor;
};

/**
 * Appends to a chat's log in order, for one writer, one durable batch at a time. Staged events wait for the
 * next commit, or for a few milliseconds. Events that are committed together become durable together. Further
 * events are collected while a batch is written or retried.
 *
 * @source ADR 0009, ADR 0018
 */
export function createJournal(options: JournalOptions) {
  const { clock, lease, auditor, turn, head } = options;
  const base = { turn, seq: head.seq, at: head.updatedAt, auditHead: head.auditHead };
  const end = createLogEnd({ chat: head, clock, auditor, base });
  const staged = createStagedEvents({ chat: head, end });
  const writer = createBatchWriter(options, staged, end);
  const { flush, flushSoon } = createFlushes(writer.write, clock);

  function commit(runId: RunId, ...bodies: readonly EventBody[]): Promise<void> {
    for (const body of bodies) {
      if (staged.hasEnded(runId)) return Promise.reject(writer.failure ?? afterEnd(runId));
      staged.add(runId, body);
    }
    return flush();
  }

  function afterEnd(runId: RunId): Error {
    return new Error(`Run ${runId} of chat ${head.id} has ended. Nothing of it may follow.`);
  }

  return {
    /** As of the last durable append. */
    get head() {
      return writer.head;
    },
    /** The state of the lease under which it writes. */
    lease,
    /** Makes staged events durable, and waits for writes in progress. @throws Conflict */
    flush,
    /** The open turn with all staged events. The next decision is based on it and committed with it. */
    get turn() {
      return end.turn;
    },
    get nextSeq() {
      return end.nextSeq;
    },
    /** What is not durable yet, in order: staged, or in an append that is under way. */
    get pending(): readonly FlowEvent[] {
      return [...writer.underWay, ...staged.events].map(({ event }) => event);
    },

    /**
     * Adds to the next append, which follows within milliseconds. For events that may be lost in a crash.
     *
     * @returns nothing while more may be collected; otherwise the append, for callers that must not write
     *   faster than the store
     * @throws Error after the run's end: no event of a run follows it
     */
    stage(runId: RunId, ...bodies: readonly EventBody[]): Promise<void> | undefined {
      for (const body of bodies) {
        if (staged.hasEnded(runId)) throw afterEnd(runId);
        staged.add(runId, body);
      }
      if (staged.characters < flushAtCharacters) {
        flushSoon();
        return undefined;
      }
      const full = flush();
      full.catch(ignore);
      return full;
    },

    /** Adds records of plugins to the next append. */
    keep: staged.keep,

    /**
     * Makes these events durable, with all that was staged before.
     *
     * @throws Conflict
     * @throws Stopped when the run was asked to stop before one of them: those before it stay staged
     * @throws Error after the run's end: no event of a run follows it
     */
    commit,

    /**
     * Makes the start and the first events of a run durable that another instance continues.
     *
     * @param owner gets the lease
     * @throws Conflict
     * @source ADR 0037
     */
    handOver(owner: string, runId: RunId, ...bodies: readonly EventBody[]): Promise<void> {
      writer.leaseTo(owner);
      return commit(runId, ...bodies);
    },

    /**
     * Makes a call's progress durable. Dropped when the call or its run has ended: reports end with the
     * attempt. Never fails: if a report cannot be written, the next commit throws.
     */
    async report(runId: RunId, body: Extract<EventBody, { type: 'tool-progressed' }>): Promise<void> {
      const isOver = staged.hasEnded(runId) || end.turn.calls.get(body.toolCallId)?.end !== undefined;
      if (isOver || writer.failure) return;
      staged.add(runId, body);
      await flush().catch(ignore);
    },

    ...createConditional({ flush, commit, writeIf: writer.writeIf }),
  };
}

export type Journal = ReturnType<typeof createJournal>;

/** Events that are written only if records are as expected. Each is a separate append, and events from outside the run's loop wait for it. */
function createConditional({
  flush,
  commit,
  writeIf,
}: {
  readonly flush: () => Promise<void>;
  readonly commit: (runId: RunId, body: EventBody) => Promise<void>;
  readonly writeIf: (records: readonly RecordWrite[], runId: RunId, body: EventBody) => Promise<boolean>;
}) {
  let writing: Promise<void> | undefined;
  return {
    /**
     * Makes one event durable with these records, after all that was staged. Until it resolves, nothing else may be staged.
     *
     * @returns false if a record is not as expected: nothing was written
     * @throws Conflict
     */
    async commitIf(records: readonly RecordWrite[], runId: RunId, body: EventBody): Promise<boolean> {
      const { promise, resolve } = Promise.withResolvers<void>();
      writing = promise;
      try {
        await flush();
        return await writeIf(records, runId, body);
      } finally {
        writing = undefined;
        resolve();
      }
    },

    /**
     * Makes an event durable that is written from outside the run's loop: at any time, in the order of the
     * calls.
     *
     * @throws Conflict, Stopped, or Error after the run's end
     */
    async writeBeside(runId: RunId, body: EventBody): Promise<void> {
      while (writing) await writing;
      return commit(runId, body);
    },
  };
}

/** The error of a flush is not lost: the next commit throws it. */
function ignore(): void {}
