import {
  CountersignError,
  type FlowEvent,
  type FlowLogBody,
  type FlowLogEvent,
  type FlowLogState,
  flowLogId,
  type Logger,
} from '../../protocol/index.ts';
import { newChatHead } from '../chat-head.ts';
import { eventTime } from '../event-time.ts';
import type { FlowClock } from '../flow-clock.ts';
import type { Seals } from '../seal/audit-keys.ts';
import type { ChatHead, FlowStore } from '../store/index.ts';
import { flowLogFacts, isSealedAfter } from './flow-log-facts.ts';

const before: FlowLogState = { pauses: [], checkpointAt: 0 };
const attempts = 50;
/** How many events back to search for a state that was written with the key. */
const lookedAt = 64;

/** The log of the flow itself. @see FlowLogBody */
export type FlowLog = ReturnType<typeof createFlowLog>;

/**
 * Opens the flow's own log: for events that concern more than one chat, or outlive their chat. Each event
 * contains the complete state after it, so the last one is enough to know what is paused.
 */
export function createFlowLog(parts: {
  readonly store: FlowStore;
  readonly clock: FlowClock;
  readonly logger: Logger;
  readonly owner: string;
  /** Present when the flow has an audit key. */
  readonly seals?: Seals;
}) {
  const { store, clock, logger, owner, seals } = parts;
  async function read(after: number, limit?: number): Promise<readonly FlowLogEvent[]> {
    return fromStore(await store.events.read(flowLogId, after, limit));
  }

  /** The current state. With an audit key, as of the last event with a valid seal. */
  async function stateAt(head: ChatHead | undefined): Promise<FlowLogState> {
    if (!head) return before;
    const [last] = await read(head.seq - 1, 1);
    if (!seals || head.auditHead === null) return last?.state ?? before;
    const [previous] = head.seq > 1 ? await read(head.seq - 2, 1) : [];
    if (last && isSealedAfter(seals, previous?.seal ?? null, last)) return last.state;
    const events = await read(Math.max(0, head.seq - lookedAt), lookedAt);
    const proven = events.findLast((event, index) => {
      const sealed = events.slice(0, index).findLast(({ seal }) => seal !== undefined);
      return isSealedAfter(seals, sealed?.seal ?? null, event);
    });
    logger.error('The log of the flow ends with events that its audit key did not seal.', { seq: head.seq });
    return proven?.state ?? before;
  }

  /** An event of the log; with an audit key, only if its seal is valid. */
  async function eventAt(seq: number): Promise<FlowLogEvent | undefined> {
    const [event] = await read(seq - 1, 1);
    if (!event || !seals) return event;
    const [previous] = seq > 1 ? await read(seq - 2, 1) : [];
    return isSealedAfter(seals, previous?.seal ?? null, event) ? event : undefined;
  }

  return {
    head: () => store.chats.head(flowLogId),
    read,
    stateAt,
    eventAt,

    /**
     * Appends the event that `make` returns for the current state, if it returns one. `make` also gets the `seq` that
     * the event would follow.
     *
     * @returns the `seq` of the last event
     * @throws CountersignError `internal`, transient, when other instances are repeatedly faster
     */
    async append(
      make: (state: FlowLogState, after: number) => readonly FlowLogBody[] | Promise<readonly FlowLogBody[]>,
    ): Promise<number> {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        const found = await store.chats.head(flowLogId);
        const time = await clock.sure();
        const now = found ? eventTime(found.updatedAt, time) : time;
        const head = found ?? newChatHead(flowLogId, '', now);
        let state = await stateAt(head.seq === 0 ? undefined : head);
        let { seq, auditHead } = head;
        const bodies = await make(state, seq);
        const events = bodies.map((body): FlowLogEvent => {
          seq += 1;
          state = stateAfter(state, body, { seq, now });
          const event: FlowLogEvent = { ...body, seq, at: now, state };
          if (!seals) return event;
          auditHead = seals.make(auditHead, flowLogFacts(event));
          return { ...event, seal: auditHead };
        });
        if (events.length === 0) return seq;
        const result = await store.append({
          chatId: flowLogId,
          after: head.seq,
          events: forStore(events),
          head: { ...head, title: 'The log of the flow', seq, updatedAt: now, auditHead },
          questions: [],
          owner,
          now: time,
        });
        if (result === 'appended') return seq;
      }
      const text = 'The log of the flow was busy. Trying again is safe.';
      throw new CountersignError('internal', text, {}, { transient: true });
    },
  };
}

function stateAfter(
  state: FlowLogState,
  body: FlowLogBody,
  { seq, now }: { readonly seq: number; readonly now: number },
): FlowLogState {
  const { pauses } = state;
  switch (body.type) {
    case 'checkpoint':
      return { ...state, checkpointAt: now };
    case 'paused': {
      const { type: _type, ...pause } = body;
      return {
        ...state,
        pauses: [...pauses.filter(({ tool }) => tool !== body.tool), { ...pause, at: now }],
      };
    }
    case 'unpaused':
      return { ...state, pauses: pauses.filter(({ tool }) => tool !== body.tool) };
    case 'plugin-event':
      return { ...state, plugins: { ...state.plugins, [body.plugin]: seq } };
    default:
      return state;
  }
}

/** A store keeps events of any type unchanged; events of the flow are only in its own log. */
function forStore(events: readonly FlowLogEvent[]): readonly FlowEvent[] {
  return events as readonly object[] as readonly FlowEvent[];
}

function fromStore(events: readonly FlowEvent[]): readonly FlowLogEvent[] {
  return events as readonly object[] as readonly FlowLogEvent[];
}
