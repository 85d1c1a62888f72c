import { type Clock, type EventBody, present, type RunEvent, type RunId } from '../../protocol/index.ts';
import { eventTime } from '../event-time.ts';
import type { Auditor } from '../seal/auditor.ts';
import type { ChatHead } from '../store/index.ts';
import { applyToTurn, nextTurn } from '../turn/fold-turn.ts';
import type { Turn } from '../turn/turn.ts';

export type LogPlace = {
  readonly turn: Turn;
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly auditHead: string | null;
};

type Delta = Extract<RunEvent, { delta: string }>;

/** The end of the log, including events that are not durable yet. Assigns place, time and seal to events. */
export function createLogEnd(parts: {
  readonly chat: Pick<ChatHead, 'id'>;
  readonly clock: Clock;
  readonly auditor?: Auditor;
  readonly base: LogPlace;
}) {
  const { chat, clock, auditor, base } = parts;
  let { turn, seq, at: latest, auditHead } = base;

  function seal(event: RunEvent): RunEvent {
    const call = 'toolCallId' in event ? turn.calls.get(event.toolCallId) : undefined;
    return auditor?.sealed(chat.id, auditHead, event, call) ?? event;
  }

  return {
    get turn() {
      return turn;
    },
    get nextSeq() {
      return seq + 1;
    },
    get auditHead() {
      return auditHead;
    },

    add(runId: RunId, body: EventBody, now = clock.now()): RunEvent {
      seq += 1;
      latest = eventTime(latest, now);
      const plain: RunEvent = present({ ...body, seq, at: latest, runId });
      turn = nextTurn(turn, plain);
      const event = seal(plain);
      auditHead = event.seal ?? auditHead;
      return event;
    },

    extend(last: Delta, delta: string): Delta {
      applyToTurn(turn, { ...last, delta });
      return { ...last, delta: last.delta + delta };
    },

    /** The event as it would be added now. It counts only when it is accepted, before anything else is added. */
    propose(runId: RunId, body: EventBody) {
      const event = seal(present({ ...body, seq: seq + 1, at: eventTime(latest, clock.now()), runId }));
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

    restart(earlier: LogPlace): void {
      ({ turn, seq, at: latest, auditHead } = earlier);
    },
  };
}

export type LogEnd = ReturnType<typeof createLogEnd>;
