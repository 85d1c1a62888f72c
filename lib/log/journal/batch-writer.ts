import { type Clock, type EventBody, type FlowEvent, isRunEnd, type RunId } from '../../protocol/index.ts';
import { isRefusal, isTransient, withBackoff } from '../backoff.ts';
import { advanceHead } from '../chat-head.ts';
import type { ChatLog } from '../chat-log.ts';
import { Conflict, Stopped } from '../conflict.ts';
import { kernelEvents } from '../events/event-table.ts';
import type { RunLease } from '../run-lease.ts';
import type { Append, AppendResult, CallMark, ChatHead, Lease, RecordWrite } from '../store/index.ts';
import { type CallEnd, isCallEnd } from '../turn/call-end.ts';
import type { Call, Turn } from '../turn/turn.ts';
import type { LogEnd, LogPlace } from './log-end.ts';
import type { StagedEvent, StagedEvents } from './staged-events.ts';

/** What a journal writes with, and where it begins. */
export type WriterOptions = {
  readonly log: Pick<ChatLog, 'owner' | 'append' | 'batchId' | 'readTurn'>;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** The lease that comes with a run's start; the writer notes when it was taken. */
  readonly lease: RunLease;
  readonly head: ChatHead;
  /** The marks under which later questions find the calls that these events clear or begin. */
  readonly marksOf?: (events: readonly FlowEvent[], turn: Turn) => readonly CallMark[];
  /** Receives each batch when it has become durable. */
  readonly onWritten?: (batch: readonly StagedEvent[]) => void;
  /** False when this instance has ended: nothing is retried. */
  readonly mayRetry: () => boolean;
  /**
   * Receives the ends of calls that ran here and could not be written because another instance took over the
   * log, and the head of the chat as of the last durable append.
   */
  readonly onLost?: (ends: readonly LostEnd[], head: ChatHead) => void;
};

/**
 * Writes what is staged, one batch at a time. While the store fails and may recover, a run's batch is retried.
 * After any other failure, every later batch also fails, because another writer owns the log.
 *
 * @source ADR 0009, ADR 0018
 */
export function createBatchWriter(options: WriterOptions, staged: StagedEvents, end: LogEnd) {
  const { log, leaseMs, lease: runLease, onLost } = options;
  let durable = options.head;
  let underWay: readonly StagedEvent[] = [];
  let failure: unknown;
  let leaseOwner = log.owner;

  async function write(): Promise<void> {
    const { auditHead } = end;
    const batch = staged.take();
    if (failure) throw fail(failure, batch);
    if (batch.length === 0) return;
    const records = staged.takeRecords();
    underWay = batch;
    try {
      const from = runLease.moment();
      const lease = { owner: leaseOwner, until: from.wall + leaseMs };
      const content = contentOf(batch, { before: durable, auditHead, lease, records });
      const result = await append(content);
      if (result === 'stopped') throw await stopBefore(batch, records);
      if (result !== 'appended') throw movedOn(durable);
      durable = content.head;
      if (content.lease) runLease.taken(from);
      options.onWritten?.(batch);
    } catch (error) {
      throw Stopped.is(error) ? error : fail(error, batch);
    } finally {
      underWay = [];
    }
  }

  async function writeIf(records: readonly RecordWrite[], runId: RunId, body: EventBody): Promise<boolean> {
    try {
      const { event, auditHead, accept } = end.propose(runId, body);
      const after = { ...advanceHead(durable, [event]), auditHead };
      const result = await append({ head: after, events: [event], questions: [], records });
      if (typeof result === 'object') return false;
      if (result !== 'appended') throw movedOn(durable);
      durable = after;
      accept();
      return true;
    } catch (error) {
      failure = error;
      throw error;
    }
  }

  const append = (batch: BatchContent) => appendBatch(options, durable, batch, end.turn);

  /** Removes the first event that a stopped run may not write, and everything after it. The rest stays staged. */
  async function stopBefore(
    batch: readonly StagedEvent[],
    records: readonly RecordWrite[],
  ): Promise<Stopped> {
    const earlier = await durablePlace(options, durable);
    const index = batch.findIndex(({ event }) => kernelEvents.get(event.type)?.isGuarded);
    const dropped = [...batch.slice(index), ...staged.take()];
    underWay = [];
    staged.restart(earlier, batch.slice(0, index), dropped);
    staged.keep(records);
    return new Stopped(`The run of chat ${durable.id} was asked to stop.`);
  }

  function fail(error: unknown, batch: readonly StagedEvent[]): unknown {
    failure = error;
    const ends = lostEnds([...batch, ...staged.take()], end.turn, durable.seq);
    if (ends.length > 0) onLost?.(ends, durable);
    return error;
  }

  return {
    /** As of the last durable append. */
    get head() {
      return durable;
    },
    /** The events of an append in progress, in order. */
    get underWay() {
      return underWay;
    },
    get failure() {
      return failure;
    },

    /** From here on, runs are started for another instance, which continues them. */
    leaseTo(owner: string): void {
      leaseOwner = owner;
    },

    /** Writes what is staged. @throws Conflict, Stopped, or the store's error */
    write,

    /** Writes one event if these records are as expected. Nothing is staged before. @throws for all later writes, too */
    writeIf,
  };
}

/** What one append contains, apart from its place in the log. */
type BatchContent = Pick<Append, 'head' | 'events' | 'questions' | 'records' | 'lease'>;

/** A request's first append is tried once. A run's batch is retried: an end of a call until the store refuses it. */
function appendBatch(
  { log, clock, marksOf, mayRetry }: WriterOptions,
  { id: chatId, seq, status, runId }: ChatHead,
  batch: BatchContent,
  turn: Turn,
): Promise<AppendResult> {
  const calls = marksOf?.(batch.events, turn) ?? [];
  const whole = { ...batch, calls, id: log.batchId(), chatId, after: seq, now: clock.now() };
  const isOfRun = status === 'active' && batch.events[0]?.runId === runId;
  const hasOutcome = batch.events.some(isCallEnd);
  const mayPass = (error: unknown) => (hasOutcome ? !isRefusal(error) : isTransient(error));
  return withBackoff(
    clock,
    () => log.append(whole),
    (error) => isOfRun && mayPass(error) && mayRetry(),
  );
}

function movedOn({ id, seq }: ChatHead): Conflict {
  return new Conflict(`Chat ${id} has moved on past ${seq}.`);
}

/** The end of the log as it is durable, with its turn. Retried until the store answers. */
async function durablePlace({ log, clock, mayRetry }: WriterOptions, head: ChatHead): Promise<LogPlace> {
  const turn = await withBackoff(
    clock,
    () => log.readTurn(head),
    (error) => isTransient(error) && mayRetry(),
  );
  return { turn, seq: head.seq, at: head.updatedAt, auditHead: head.auditHead };
}

type BatchPlace = {
  readonly before: ChatHead;
  readonly auditHead: string | null;
  readonly lease: Lease;
  readonly records: readonly RecordWrite[];
};

function contentOf(
  batch: readonly StagedEvent[],
  { before, auditHead, lease, records }: BatchPlace,
): BatchContent {
  const events = batch.map(({ event }) => event);
  const next = leaseAfter(events, lease);
  return {
    head: { ...advanceHead(before, events), auditHead },
    events,
    questions: batch.flatMap(({ question }) => question ?? []),
    records: records.length > 0 ? records : undefined,
    lease: next,
  };
}

function leaseAfter(events: readonly FlowEvent[], lease: Lease): Lease | null | undefined {
  const last = events.findLast((event) => event.type === 'run-started' || isRunEnd(event));
  if (!last) return undefined;
  return last.type === 'run-started' ? lease : null;
}

/** The end of a call that this process ran, and that could not be written. */
export type LostEnd = { readonly call: Call; readonly end: CallEnd };

/** The ends that could not be written, of calls whose start is durable. @param durable the last durable `seq` */
function lostEnds(lost: readonly StagedEvent[], turn: Turn, durable: number): readonly LostEnd[] {
  return lost.flatMap(({ event }) => {
    if (!isCallEnd(event)) return [];
    const call = turn.calls.get(event.toolCallId);
    return call?.started && call.started.seq <= durable ? { call, end: event } : [];
  });
}
