import type {
  ChatHead,
  Clock,
  EventBody,
  FlowEvent,
  FlowStore,
  Grant,
  GrantId,
  Lease,
  Question,
  RunId,
} from '../vocabulary/index.ts';
import { isRunEnd } from '../vocabulary/index.ts';
import type { Auditor } from './audit/auditor.ts';
import { grantIn } from './grants/remember.ts';
import { advanceHead } from './projections/chat-head.ts';
import { questionOf } from './projections/question.ts';
import { applyToTurn, emptyTurn, type Turn } from './turn.ts';

/** Another writer was first: what was decided stands on old facts, and nothing of it was written. */
export class Conflict extends Error {
  override readonly name = 'Conflict';
}

/** How long text may wait for company before it is made durable, and how much of it may gather. */
const flushAfterMs = 20;
const flushAtCharacters = 2_000;

type JournalOptions = {
  readonly store: Pick<FlowStore, 'append'>;
  readonly clock: Clock;
  readonly owner: string;
  readonly leaseMs: number;
  readonly head: ChatHead;
  /** The open turn as of `head`; the journal keeps it up to date. */
  readonly turn: Turn;
  /** Seals the audit entries, when there is a key. */
  readonly auditor?: Auditor;
  /** Sees the events of a run as they are staged, from its durable start on. */
  readonly onEvent?: (event: FlowEvent) => void;
};

/**
 * The pen of one writer: appends to a chat's log in order, one durable batch at a time. What is staged waits
 * for the next commit or for a few milliseconds; what is committed together becomes durable together.
 *
 * Once an append failed every later one fails likewise: the log belongs to somebody else.
 */
export function createJournal(options: JournalOptions) {
  const { store, clock, owner, leaseMs, auditor, onEvent } = options;
  let durable = options.head;
  let turn = options.turn;
  let seq = durable.seq;
  let auditHead = durable.auditHead;
  let staged: FlowEvent[] = [];
  let questions: Question[] = [];
  let grants: Grant[] = [];
  let stagedCharacters = 0;
  let cancelFlush: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  let failure: unknown;

  async function write(): Promise<void> {
    next = undefined;
    const batch = { events: staged, questions, ...(grants.length > 0 && { grants }) };
    const sealed = auditHead;
    staged = [];
    questions = [];
    grants = [];
    stagedCharacters = 0;
    cancelFlush?.();
    cancelFlush = undefined;
    if (failure) throw failure;
    if (batch.events.length === 0) return;
    try {
      const head = { ...advanceHead(durable, batch.events), auditHead: sealed };
      const lease = leaseAfter(batch.events, { owner, until: clock.now() + leaseMs });
      const append = { chatId: head.id, after: durable.seq, head, owner, ...batch };
      const result = await store.append(lease === undefined ? append : { ...append, lease });
      if (result === 'conflict') throw new Conflict(`Chat ${head.id} has moved on past ${durable.seq}.`);
      durable = head;
    } catch (error) {
      failure = error;
      throw error;
    }
  }

  function flush(): Promise<void> {
    // Everybody who asks while a write is under way shares the next one.
    next ??= writing.then(write, write);
    writing = next;
    return next;
  }

  function add(runId: RunId, body: EventBody): void {
    const last = staged.at(-1);
    if (isDelta(body)) {
      stagedCharacters += body.delta.length;
      // Readers hold whole events, so one must not go on growing while a slow write is under way.
      const fits = last && isDelta(last) && last.delta.length + body.delta.length <= flushAtCharacters;
      if (fits && last.type === body.type && last.textId === body.textId) {
        staged[staged.length - 1] = { ...last, delta: last.delta + body.delta };
        applyToTurn(turn, { ...last, delta: body.delta });
        return;
      }
    }
    seq += 1;
    const plain: FlowEvent = { ...body, seq, at: clock.now(), runId };
    if (plain.type === 'message-received' || plain.type === 'history-cut') turn = emptyTurn();
    else applyToTurn(turn, plain);
    const event = seal(plain);
    staged.push(event);
    const question = questionIn(event);
    if (question) questions.push(question);
    const grant = givenIn(event);
    if (grant) grants.push(grant);
    // Until the run's start is durable, another writer's events may take these places in the log.
    if (durable.runId === runId) onEvent?.(event);
  }

  function seal(event: FlowEvent): FlowEvent {
    const call = 'toolCallId' in event ? turn.calls.get(event.toolCallId) : undefined;
    const sealed = call && auditor?.seal(durable.id, auditHead, event, call);
    if (sealed === undefined) return event;
    auditHead = sealed;
    return { ...event, seal: sealed };
  }

  /** One event by itself, which is written only while a grant stands; staged is nothing of it until then. */
  async function writeLeaning(runId: RunId, body: EventBody, grant: GrantId): Promise<boolean> {
    const sealedBefore = auditHead;
    const plain: FlowEvent = { ...body, seq: seq + 1, at: clock.now(), runId };
    const event = seal(plain);
    const head = { ...advanceHead(durable, [event]), auditHead };
    const batch = { chatId: head.id, after: durable.seq, head, owner, events: [event], questions: [] };
    const result = await store.append({ ...batch, uses: [grant] });
    if (result === 'conflict') throw new Conflict(`Chat ${head.id} has moved on past ${durable.seq}.`);
    if (result === 'revoked') {
      auditHead = sealedBefore;
      return false;
    }
    durable = head;
    seq = event.seq;
    applyToTurn(turn, event);
    onEvent?.(event);
    return true;
  }

  /** The question that an event opened or settled. */
  function questionIn(event: FlowEvent): Question | undefined {
    if (!event.type.startsWith('approval-') || !('toolCallId' in event)) return undefined;
    const call = turn.calls.get(event.toolCallId);
    return call && questionOf(call, durable);
  }

  /** What a person had remembered with an event. */
  function givenIn(event: FlowEvent): Grant | undefined {
    const call = event.type === 'approval-answered' && turn.calls.get(event.toolCallId);
    return call ? grantIn(event, call, durable) : undefined;
  }

  return {
    /** As of the last durable append. */
    get head() {
      return durable;
    },
    /** The open turn with all that is staged: what the next decision stands on, and is committed with. */
    get turn() {
      return turn;
    },
    /** The `seq` the next event will have. */
    get nextSeq() {
      return seq + 1;
    },

    /**
     * Adds to the next append, which follows within milliseconds. For what may be lost in a crash.
     *
     * @returns nothing while more may gather; else the append, to be waited for by whoever would not write faster than the
     *   store
     */
    stage(runId: RunId, ...bodies: readonly EventBody[]): Promise<void> | undefined {
      for (const body of bodies) add(runId, body);
      if (stagedCharacters < flushAtCharacters) {
        cancelFlush ??= clock.after(flushAfterMs, () => void flush().catch(ignore));
        return undefined;
      }
      const full = flush();
      full.catch(ignore);
      return full;
    },

    /** Makes these events durable, with all that was staged before. @throws Conflict */
    commit(runId: RunId, ...bodies: readonly EventBody[]): Promise<void> {
      for (const body of bodies) add(runId, body);
      return flush();
    },

    /**
     * Makes one event durable that leans on a grant, after all that was staged. Nothing else may be staged meanwhile.
     *
     * @returns false when the grant was revoked before: the event never was
     * @throws Conflict
     */
    async commitLeaning(runId: RunId, body: EventBody, grant: GrantId): Promise<boolean> {
      await flush();
      try {
        return await writeLeaning(runId, body, grant);
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

function isDelta<Body extends EventBody>(
  body: Body,
): body is Extract<Body, { type: 'text-delta' | 'reasoning-delta' }> {
  return body.type === 'text-delta' || body.type === 'reasoning-delta';
}

/** A failed timed flush is not lost: the next commit throws what it threw. */
function ignore(): void {}
