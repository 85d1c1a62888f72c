import type { Clock, EventBody, FlowEvent, GrantId, RunId } from '../protocol/index.ts';
import { isRunEnd } from '../protocol/index.ts';
import { isTransient, withBackoff } from './backoff.ts';
import { advanceHead } from './chat-head.ts';
import type { ChatLog } from './chat-log.ts';
import { Conflict, Stopped } from './conflict.ts';
import type { RunLease } from './run-lease.ts';
import type { StagedEvent, StagedEvents } from './staged-events.ts';
import type { Append, AppendResult, CallMark, ChatHead, Lease } from './store-port.ts';
import type { CallEnd } from './turn/status-fields.ts';
import type { Call, Turn } from './turn/turn.ts';

/** The end of a call that this process ran, and that could not be written. */
export type LostEnd = { readonly call: Call; readonly end: CallEnd };

/** What a journal writes with, and where it begins. */
export type WriterOptions = {
  readonly log: Pick<ChatLog, 'owner' | 'append' | 'batchId' | 'readTurn'>;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** The lease that comes with a run's start; the writer notes when it was taken. */
  readonly lease: RunLease;
  readonly head: ChatHead;
  /** The marks by which later questions find the calls that these events clear or begin. */
  readonly marksOf?: (events: readonly FlowEvent[], turn: Turn) => readonly CallMark[];
  /** False when this instance has ended: nothing is tried again. */
  readonly mayRetry: () => boolean;
  /** Gets the ends of calls that ran here and could not be written because another instance took the log over. */
  readonly onLost?: (ends: readonly LostEnd[]) => void;
};

/**
 * Writes what is staged, one batch at a time. While the store fails transiently, a run's batch is retried. After any
 * other failure every later batch fails as well, because another writer owns the log.
 *
 * @source ADR 0009, ADR 0018
 */
export function createBatchWriter(options: WriterOptions, staged: StagedEvents) {
  const { log, clock, leaseMs, lease: runLease, marksOf, mayRetry, onLost } = options;
  const { id: chatId } = options.head;
  let durable = options.head;
  let underWay: readonly StagedEvent[] = [];
  let failure: unknown;

  async function write(): Promise<void> {
    const { auditHead } = staged;
    const batch = staged.take();
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
      if (result !== 'appended') throw movedOn();
      durable = after;
      if (lease) runLease.taken(from);
    } catch (error) {
      throw error instanceof Stopped ? error : fail(error, batch);
    } finally {
      underWay = [];
    }
  }

  /** Writes one event only if a grant has not been revoked. Nothing is staged before. */
  async function writeWithGrant(runId: RunId, body: EventBody, grant: GrantId): Promise<boolean> {
    const { event, auditHead, accept } = staged.propose(runId, body);
    const after = { ...advanceHead(durable, [event]), auditHead };
    const result = await append({ head: after, events: [event], questions: [], uses: [grant] });
    if (result === 'revoked') return false;
    if (result !== 'appended') throw movedOn();
    durable = after;
    accept();
    return true;
  }

  /** A request's first append is tried once, and its sender may retry. A run's batch is retried until it is written. */
  function append(batch: Pick<Append, 'head' | 'events' | 'questions' | 'uses'>): Promise<AppendResult> {
    const calls = marksOf?.(batch.events, staged.turn) ?? [];
    const marks = calls.length > 0 ? { calls } : {};
    const place = { id: log.batchId(), chatId, after: durable.seq, now: clock.now() };
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
    return new Stopped(`The run of chat ${chatId} was asked to stop.`);
  }

  function movedOn(): Conflict {
    return new Conflict(`Chat ${chatId} has moved on past ${durable.seq}.`);
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

  return {
    /** As of the last durable append. */
    get head() {
      return durable;
    },
    /** What an append under way has taken, in order. */
    get underWay() {
      return underWay;
    },
    /** Why nothing can be written any more. */
    get failure() {
      return failure;
    },

    /** Writes what is staged. @throws Conflict, Stopped, or the store's error */
    write,

    /** @returns false if the grant had been revoked. @throws Conflict, or the store's error, also for all later writes */
    async writeWithGrant(runId: RunId, body: EventBody, grant: GrantId): Promise<boolean> {
      try {
        return await writeWithGrant(runId, body, grant);
      } catch (error) {
        failure = error;
        throw error;
      }
    },
  };
}

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
