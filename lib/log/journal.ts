import type { Clock, EventBody, FlowEvent, GrantId, RunId } from '../protocol/index.ts';
import { isRunEnd } from '../protocol/index.ts';
import { isTransient, withBackoff } from './backoff.ts';
import { advanceHead } from './chat-head.ts';
import type { ChatLog } from './chat-log.ts';
import type { RunLease } from './run-lease.ts';
import type { Auditor } from './seal/auditor.ts';
import { createStagedEvents, type StagedEvent } from './staged-events.ts';
import type { Append, AppendResult, CallMark, ChatHead, Lease } from './store-port.ts';
import type { CallEnd } from './turn/status-fields.ts';
import type { Call, Turn } from './turn/turn.ts';

/** Another writer was first. The decision was made on an old log, and nothing was written. */
export class Conflict extends Error {
  override readonly name = 'Conflict';
}

/** The run was asked to stop before it could start a call or ask a question. Earlier events stay staged. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** How long text is gathered before it is made durable, and how much of it. */
const flushAfterMs = 20;
const flushAtCharacters = 2_000;

/** The end of a call that this process ran, and that could not be written. */
export type LostEnd = { readonly call: Call; readonly end: CallEnd };

type JournalOptions = {
  readonly log: Pick<ChatLog, 'owner' | 'append' | 'batchId' | 'readTurn'>;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** The lease that comes with a run's start; the journal notes when it was taken. */
  readonly lease: RunLease;
  readonly head: ChatHead;
  /** The open turn as of `head`; the journal keeps it up to date. */
  readonly turn: Turn;
  /** Seals the audit entries, when there is a key. */
  readonly auditor?: Auditor;
  /** The marks by which later questions find the calls that these events clear or begin. */
  readonly marksOf?: (events: readonly FlowEvent[], turn: Turn) => readonly CallMark[];
  /** False when this instance has ended: nothing is tried again. */
  readonly mayRetry: () => boolean;
  /** Gets the ends of calls that ran here and could not be written because another instance took the log over. */
  readonly onLost?: (ends: readonly LostEnd[]) => void;
};

/**
 * Appends to a chat's log in order, for one writer, one durable batch at a time. What is staged waits for the next
 * commit or for a few milliseconds; what is committed together becomes durable together.
 *
 * While the store fails transiently, a run's batch is retried, and further events gather behind it. After any other
 * failure every later append fails as well, because another writer owns the log.
 *
 * @source ADR 0009, ADR 0018
 */
export function createJournal(options: JournalOptions) {
  const { log, clock, leaseMs, lease: runLease, auditor, marksOf, mayRetry, onLost } = options;
  const { turn, head } = options;
  let durable = head;
  const base = { turn, seq: head.seq, at: head.updatedAt, auditHead: head.auditHead };
  const staged = createStagedEvents({ chat: head, clock, auditor, base });
  let underWay: readonly StagedEvent[] = [];
  let cancelFlush: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  let failure: unknown;

  async function write(): Promise<void> {
    next = undefined;
    const { auditHead } = staged;
    const batch = staged.take();
    cancelFlush?.();
    cancelFlush = undefined;
    if (failure) throw fail(failure, batch);
    if (batch.length === 0) return;
    underWay = batch;
    try {
      const events = batch.map(({ event }) => event);
      const after = { ...advanceHead(durable, events), auditHead };
      const grants = batch.flatMap(({ grant }) => grant ?? []);
      const from = runLease.moment();
      const lease = leaseAfter(events, { owner: log.owner, until: from.wall + leaseMs });
      const result = await append({
        head: after,
        events,
        questions: batch.flatMap(({ question }) => question ?? []),
        ...(grants.length > 0 && { grants }),
        ...(lease !== undefined && { lease }),
      });
      if (result === 'stopped') throw await stopBefore(batch);
      if (result !== 'appended') throw new Conflict(`Chat ${head.id} has moved on past ${durable.seq}.`);
      durable = after;
      if (lease) runLease.taken(from);
    } catch (error) {
      throw error instanceof Stopped ? error : fail(error, batch);
    } finally {
      underWay = [];
    }
  }

  /** A request's first append is tried once, and its sender may retry. A run's batch is retried until it is written. */
  function append(batch: Pick<Append, 'head' | 'events' | 'questions' | 'uses'>): Promise<AppendResult> {
    const calls = marksOf?.(batch.events, staged.turn) ?? [];
    const marks = calls.length > 0 ? { calls } : {};
    const place = { id: log.batchId(), chatId: head.id, after: durable.seq, now: clock.now() };
    const whole = { ...batch, ...marks, ...place };
    const isOfRun = durable.status === 'active' && batch.events[0]?.runId === durable.runId;
    return withBackoff(
      clock,
      () => log.append(whole),
      (error) => isOfRun && isTransient(error) && mayRetry(),
    );
  }

  /** Removes what a stopped run may not do, and all that follows it. Known outcomes and text stay staged. */
  async function stopBefore(batch: readonly StagedEvent[]): Promise<Stopped> {
    const earlier = await withBackoff(
      clock,
      () => log.readTurn(durable),
      (error) => isTransient(error) && mayRetry(),
    );
    const index = batch.findIndex(({ event }) => isGuarded(event));
    const dropped = [...batch.slice(index), ...staged.take()];
    const { seq, updatedAt: at, auditHead } = durable;
    underWay = [];
    staged.restart({ turn: earlier, seq, at, auditHead }, batch.slice(0, index), dropped);
    return new Stopped(`The run of chat ${head.id} was asked to stop.`);
  }

  function fail(error: unknown, batch: readonly StagedEvent[]): unknown {
    failure = error;
    const ends = [...batch, ...staged.take()].flatMap(({ event }) => lostEnd(event) ?? []);
    if (ends.length > 0) onLost?.(ends);
    return error;
  }

  /** Only for a call whose start is durable: the log contains no other call that could be wrong. */
  function lostEnd(event: FlowEvent): LostEnd | undefined {
    if (!isCallEnd(event)) return undefined;
    const call = staged.turn.calls.get(event.toolCallId);
    return call?.started && call.started.seq <= durable.seq ? { call, end: event } : undefined;
  }

  function flush(): Promise<void> {
    // All callers during a write share the next one.
    next ??= writing.then(write, write);
    writing = next;
    return next;
  }

  function afterEnd(runId: RunId): Error {
    return new Error(`Run ${runId} of chat ${head.id} has ended. Nothing of it may follow.`);
  }

  /** Writes one event only if a grant has not been revoked. Nothing is staged before. */
  async function writeWithGrant(runId: RunId, body: EventBody, grant: GrantId): Promise<boolean> {
    const { event, auditHead, accept } = staged.propose(runId, body);
    const after = { ...advanceHead(durable, [event]), auditHead };
    const result = await append({ head: after, events: [event], questions: [], uses: [grant] });
    if (result === 'revoked') return false;
    if (result === 'appended') {
      durable = after;
      accept();
      return true;
    }
    throw new Conflict(`Chat ${head.id} has moved on past ${durable.seq}.`);
  }

  return {
    /** As of the last durable append. */
    get head() {
      return durable;
    },
    /** What is known of the lease under which it writes. */
    lease: runLease,
    /** Makes durable what is staged, and waits for what is under way. @throws Conflict */
    flush,
    /** The open turn with all staged events. The next decision is based on it and committed with it. */
    get turn() {
      return staged.turn;
    },
    /** The `seq` the next event will have. */
    get nextSeq() {
      return staged.nextSeq;
    },
    /** What is not durable yet, in order: staged, or in an append that is under way. */
    get pending(): readonly FlowEvent[] {
      return [...underWay, ...staged.events].map(({ event }) => event);
    },

    /**
     * Adds to the next append, which follows within milliseconds. For what may be lost in a crash.
     *
     * @returns nothing while more may gather; else the append, for callers that must not write faster than the
     *   store
     * @throws Error after the run's end: nothing of a run follows it
     */
    stage(runId: RunId, ...bodies: readonly EventBody[]): Promise<void> | undefined {
      for (const body of bodies) {
        if (staged.hasEnded(runId)) throw afterEnd(runId);
        staged.add(runId, body);
      }
      if (staged.characters < flushAtCharacters) {
        cancelFlush ??= clock.after(flushAfterMs, () => void flush().catch(ignore));
        return undefined;
      }
      const full = flush();
      full.catch(ignore);
      return full;
    },

    /**
     * Makes these events durable, with all that was staged before.
     *
     * @throws Conflict
     * @throws Stopped when the run was asked to stop before one of them: those before it stay staged
     * @throws Error after the run's end: nothing of a run follows it
     */
    commit(runId: RunId, ...bodies: readonly EventBody[]): Promise<void> {
      for (const body of bodies) {
        if (staged.hasEnded(runId)) return Promise.reject(failure ?? afterEnd(runId));
        staged.add(runId, body);
      }
      return flush();
    },

    /**
     * Makes a call's progress durable. Dropped when the call or its run has ended: reports end with the attempt. Never
     * fails: what an unwritten report means for the run shows at the next commit.
     */
    async report(runId: RunId, body: Extract<EventBody, { type: 'tool-progressed' }>): Promise<void> {
      const isOver = staged.hasEnded(runId) || staged.turn.calls.get(body.toolCallId)?.end !== undefined;
      if (isOver || failure) return;
      staged.add(runId, body);
      await flush().catch(ignore);
    },

    /**
     * Makes one event durable that uses a grant, after all that was staged. Nothing else may be staged meanwhile.
     *
     * @returns false if the grant had been revoked: nothing was written
     * @throws Conflict
     */
    async commitWithGrant(runId: RunId, body: EventBody, grant: GrantId): Promise<boolean> {
      await flush();
      try {
        return await writeWithGrant(runId, body, grant);
      } catch (error) {
        failure = error;
        throw error;
      }
    },
  };
}

/** @see createJournal */
export type Journal = ReturnType<typeof createJournal>;

function leaseAfter(events: readonly FlowEvent[], lease: Lease): Lease | null | undefined {
  const last = events.findLast((event) => event.type === 'run-started' || isRunEnd(event));
  if (!last) return undefined;
  return last.type === 'run-started' ? lease : null;
}

/** What the store refuses of a run that was asked to stop. */
function isGuarded({ type }: FlowEvent): boolean {
  return type === 'tool-started' || type === 'approval-requested' || type === 'run-suspended';
}

function isCallEnd(event: FlowEvent): event is CallEnd {
  return (
    event.type === 'tool-completed' ||
    event.type === 'tool-failed' ||
    event.type === 'tool-denied' ||
    event.type === 'tool-cancelled'
  );
}

/** The error of a timed flush is not lost: the next commit throws it. */
function ignore(): void {}
