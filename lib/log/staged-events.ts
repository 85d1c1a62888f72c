import type { Clock, EventBody, FlowEvent, Grant, Question, RunEvent, RunId } from '../protocol/index.ts';
import { isRunEnd } from '../protocol/index.ts';
import { eventTime } from './event-time.ts';
import { grantIn } from './grant.ts';
import type { Auditor } from './seal/auditor.ts';
import type { ChatHead } from './store-port.ts';
import { applyToTurn } from './turn/fold-turn.ts';
import { questionOf } from './turn/question.ts';
import { emptyTurn, type Turn } from './turn/turn.ts';

/** How much text one event may gather. Readers hold whole events, so one must not grow during a slow write. */
const longestDelta = 2_000;

/** An event that is not durable yet, with the rows that it changes. */
export type StagedEvent = { readonly event: RunEvent; readonly question?: Question; readonly grant?: Grant };

/** Where staging has arrived: the open turn, and the last place in log, time and record. */
export type StagingBase = {
  readonly turn: Turn;
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly auditHead: string | null;
};

/**
 * What one writer has decided and not yet made durable: events with their places in the log, their seals, and the
 * turn that follows from them.
 */
export function createStagedEvents({
  chat,
  clock,
  auditor,
  base,
}: {
  readonly chat: Pick<ChatHead, 'id' | 'ownerId'>;
  readonly clock: Clock;
  readonly auditor?: Auditor;
  readonly base: StagingBase;
}) {
  let { turn, seq, at: latest, auditHead } = base;
  let staged: StagedEvent[] = [];
  let characters = 0;
  const ended = new Set<RunId>();

  function isJoined(runId: RunId, body: EventBody): boolean {
    const last = staged.at(-1)?.event;
    if (!last || !isDelta(body) || !isDelta(last) || last.runId !== runId) return false;
    if (last.type !== body.type || last.textId !== body.textId) return false;
    if (last.delta.length + body.delta.length > longestDelta) return false;
    staged[staged.length - 1] = { event: { ...last, delta: last.delta + body.delta } };
    applyToTurn(turn, { ...last, delta: body.delta });
    return true;
  }

  function place(runId: RunId, body: EventBody, now: number): void {
    seq += 1;
    latest = eventTime(latest, now);
    const plain: RunEvent = { ...body, seq, at: latest, runId };
    if (plain.type === 'message-received' || plain.type === 'history-cut') turn = emptyTurn();
    else applyToTurn(turn, plain);
    if (isRunEnd(plain)) ended.add(runId);
    const event = seal(plain);
    auditHead = event.seal ?? auditHead;
    staged.push({ event, question: questionIn(event), grant: givenIn(event) });
  }

  function seal(event: RunEvent): RunEvent {
    const call = 'toolCallId' in event ? turn.calls.get(event.toolCallId) : undefined;
    return (call && auditor?.sealed(chat.id, auditHead, event, call)) ?? event;
  }

  /** The question that an event opened or settled. */
  function questionIn(event: FlowEvent): Question | undefined {
    if (!event.type.startsWith('approval-') || !('toolCallId' in event)) return undefined;
    const call = turn.calls.get(event.toolCallId);
    return call && questionOf(call, chat);
  }

  /** What a person had remembered with an event. */
  function givenIn(event: FlowEvent): Grant | undefined {
    const call = event.type === 'approval-answered' && turn.calls.get(event.toolCallId);
    const grant = call ? grantIn(event, call, chat) : undefined;
    return grant && auditor ? auditor.sealedGrant(grant) : grant;
  }

  return {
    /** The open turn with all that is staged. */
    get turn() {
      return turn;
    },
    /** The `seq` the next event will have. */
    get nextSeq() {
      return seq + 1;
    },
    /** The seal that the next one continues. */
    get auditHead() {
      return auditHead;
    },
    /** How much text has gathered. */
    get characters() {
      return characters;
    },
    get events(): readonly StagedEvent[] {
      return staged;
    },

    /** True after the event that ends this run: nothing else of the run may follow it. */
    hasEnded: (runId: RunId): boolean => ended.has(runId),

    add(runId: RunId, body: EventBody): void {
      if (isDelta(body)) characters += body.delta.length;
      if (!isJoined(runId, body)) place(runId, body, clock.now());
    },

    /** The event as it would be added now. It counts only when it is accepted, before anything else is added. */
    propose(runId: RunId, body: EventBody) {
      const event = seal({ ...body, seq: seq + 1, at: eventTime(latest, clock.now()), runId });
      const after = event.seal ?? auditHead;
      return {
        event,
        auditHead: after,
        accept(): void {
          seq = event.seq;
          latest = event.at;
          auditHead = after;
          applyToTurn(turn, event);
        },
      };
    },

    /** Hands over what is staged, to be written. */
    take(): readonly StagedEvent[] {
      const taken = staged;
      staged = [];
      characters = 0;
      return taken;
    },

    /**
     * Begins again on an earlier place, with some of the events that were taken since.
     *
     * @param dropped those that are not to be written: a run whose end is among them has not ended
     */
    restart(earlier: StagingBase, kept: readonly StagedEvent[], dropped: readonly StagedEvent[]): void {
      for (const { event } of dropped) if (isRunEnd(event)) ended.delete(event.runId);
      ({ turn, seq, at: latest, auditHead } = earlier);
      staged = [];
      for (const { event } of kept) {
        const { seq: _seq, seal: _seal, at, runId, ...body } = event;
        place(runId, body, at);
      }
    },
  };
}

/** @see createStagedEvents */
export type StagedEvents = ReturnType<typeof createStagedEvents>;

function isDelta<Body extends EventBody>(
  body: Body,
): body is Extract<Body, { type: 'text-delta' | 'reasoning-delta' }> {
  return body.type === 'text-delta' || body.type === 'reasoning-delta';
}
