import type { EventBody, Question, RunEvent, RunId } from '../../protocol/index.ts';
import { isRunEnd } from '../../protocol/index.ts';
import { kernelEvents } from '../events/event-table.ts';
import type { ChatHead, RecordWrite } from '../store/index.ts';
import { questionOf } from '../turn/question.ts';
import type { Call, Turn } from '../turn/turn.ts';
import type { LogEnd, LogPlace } from './log-end.ts';

/** How much text one event may collect. Readers hold whole events, so an event must not grow during a slow write. */
const longestDelta = 2_000;

/** An event that is not durable yet, with the rows that it changes. */
export type StagedEvent = {
  readonly event: RunEvent;
  readonly question?: Question;
  /** The call of the event. It keeps changing. */
  readonly call?: Call;
};

export function createStagedEvents({
  chat,
  end,
}: {
  readonly chat: Pick<ChatHead, 'id' | 'ownerId'>;
  readonly end: LogEnd;
}) {
  let staged: StagedEvent[] = [];
  let records: readonly RecordWrite[] = [];
  let characters = 0;
  const ended = new Set<RunId>();

  function isJoined(runId: RunId, body: EventBody): boolean {
    const last = staged.at(-1)?.event;
    if (!last || !isDelta(body) || !isDelta(last) || last.runId !== runId) return false;
    if (last.type !== body.type || blockOf(last) !== blockOf(body)) return false;
    if (last.delta.length + body.delta.length > longestDelta) return false;
    staged[staged.length - 1] = { event: end.extend(last, body.delta) };
    return true;
  }

  function stage(runId: RunId, body: EventBody, at?: number): void {
    const event = end.add(runId, body, at);
    if (isRunEnd(event)) ended.add(runId);
    staged.push({
      event,
      question: questionIn(event, end.turn, chat),
      call: 'toolCallId' in event ? end.turn.calls.get(event.toolCallId) : undefined,
    });
  }

  return {
    get characters() {
      return characters;
    },
    get events(): readonly StagedEvent[] {
      return staged;
    },

    /** True after the event that ends this run: no other event of the run may follow it. */
    hasEnded: (runId: RunId): boolean => ended.has(runId),

    add(runId: RunId, body: EventBody): void {
      if (isDelta(body)) characters += body.delta.length;
      if (!isJoined(runId, body)) stage(runId, body);
    },

    take(): readonly StagedEvent[] {
      const taken = staged;
      staged = [];
      characters = 0;
      return taken;
    },

    keep(more: readonly RecordWrite[]): void {
      if (more.length > 0) records = [...records, ...more];
    },

    takeRecords(): readonly RecordWrite[] {
      const taken = records;
      records = [];
      return taken;
    },

    /** Returns to an earlier place, with some of the events taken since. @param dropped are not written */
    restart(earlier: LogPlace, kept: readonly StagedEvent[], dropped: readonly StagedEvent[]): void {
      for (const { event } of dropped) if (isRunEnd(event)) ended.delete(event.runId);
      end.restart(earlier);
      staged = [];
      for (const { event } of kept) {
        const { seq: _seq, seal: _seal, at, runId, ...body } = event;
        stage(runId, body, at);
      }
    },
  };
}

export type StagedEvents = ReturnType<typeof createStagedEvents>;

function questionIn(
  event: RunEvent,
  turn: Turn,
  chat: Pick<ChatHead, 'id' | 'ownerId'>,
): Question | undefined {
  if (!kernelEvents.get(event.type)?.changesQuestion || !('toolCallId' in event)) return undefined;
  const call = turn.calls.get(event.toolCallId);
  return call && questionOf(call, chat);
}

function isDelta<Body extends EventBody>(body: Body): body is Extract<Body, { delta: string }> {
  return 'delta' in body;
}

function blockOf(delta: Extract<EventBody, { delta: string }>): string {
  return delta.type === 'tool-input-delta' ? delta.callId : delta.textId;
}
