import type { ResponseEvent } from '../../../lib/plugins/responses/client/schema/event-schema.ts';
import { formatResponseId } from '../../../lib/plugins/responses/ids.ts';
import type { ToolEvent } from '../../../lib/plugins/tool-events/client/schema.ts';
import { formatStreamId } from '../../../lib/protocol/ids/stream-id.ts';
import type { RunId } from '../../../lib/protocol/index.ts';
import { parseChatId } from '../../../lib/protocol/index.ts';
import type { Reached } from '../actors/client.ts';
import type { PersonName } from '../actors/people.ts';
import type { History } from '../history.ts';
import type { World } from '../machine/world.ts';
import { type EventReading, type Manners, type Outcome, openSocket, readEvents } from './connections.ts';
import type { DialectName } from './profile.ts';
import type { DialectReading } from './reading.ts';

/** Reads one stream of a turn, connection by connection. */
export type Reader = (instance: Reached, manners: Manners) => Promise<Outcome>;

/** What a reader needs. */
export type ReaderParts = {
  readonly world: World;
  readonly history: History;
  readonly reading: DialectReading;
  readonly runId: string;
};

/** Whether a dialect has a stream for each run. The others have one for the turn. */
export const hasStreamOfRun: ReadonlySet<DialectName> = new Set(['two-step-stream', 'responses']);

/** The dialects whose events have a name beside their data, and whose streams can continue in the next run. */
export const namesItsEvents: ReadonlySet<string> = new Set(['two-step-stream']);

/** The reader of a stream, by dialect. Each resumes as its dialect specifies. */
export const createReader: Readonly<Record<DialectName, (parts: ReaderParts) => Reader>> = {
  'tool-events': (parts) => {
    const { reading } = parts;
    return eventReader(parts, {
      place: (lastId) => ({
        path: `/api/dialects/tool-events/stream?conversationId=${reading.chatId}`,
        ...(lastId !== undefined && { headers: { 'last-event-id': lastId } }),
      }),
      placeOf: (_data, id) => id,
      endOf(data) {
        const event = data as ToolEvent;
        if (event.type === 'error' && event.code === 'INTERNAL_ERROR')
          return event.retryable ? 'again' : 'gone';
        if (event.type === 'message_start' && event.messageId !== reading.messageId) return 'not-last';
        return event.type === 'message_end' || event.type === 'error' ? 'over' : undefined;
      },
    });
  },
  'two-step-stream': (parts) => {
    const { reading, runId } = parts;
    const stream = formatStreamId(parseChatId(reading.chatId), runId as RunId);
    return eventReader(parts, {
      place: (lastId) => ({
        path: `/api/chat/stream/${stream}?accept_approvals=1`,
        ...(lastId !== undefined && { headers: { 'last-event-id': lastId } }),
      }),
      placeOf: (_data, id) => id,
      endOf: (data) => ((data as { type: string }).type === 'done' ? 'over' : undefined),
    });
  },
  responses: (parts) => {
    const { reading, runId } = parts;
    const id = formatResponseId(parseChatId(reading.chatId), runId as RunId);
    return eventReader(parts, {
      place: (last) => ({
        path: `/v1/responses/${id}?stream=true${last === undefined ? '' : `&starting_after=${last}`}`,
      }),
      placeOf: (data) => String((data as ResponseEvent).sequence_number),
      endOf: (data) =>
        /^response[.](completed|incomplete|failed)$/.test((data as ResponseEvent).type) ? 'over' : undefined,
    });
  },
  'chat-socket': socketReader,
};

/** What is particular to the streams of one dialect. */
type EventDialect = {
  readonly place: (last: string | undefined) => Pick<EventReading, 'path' | 'headers'>;
  readonly placeOf: (data: unknown, id: string | undefined) => string | undefined;
  /** `not-last`: this is another message, and the dialect no longer serves the one that was followed. */
  readonly endOf: (data: unknown) => Outcome | 'not-last' | undefined;
};

function eventReader(
  { world, history, reading, runId }: ReaderParts,
  { place, placeOf, endOf }: EventDialect,
): Reader {
  const who = reading.who as PersonName;
  const isOfRun = hasStreamOfRun.has(reading.dialect);
  let last: string | undefined;
  let connection = 0;
  return (instance, manners) => {
    connection += 1;
    const take: EventReading['take'] = (text, { id, event }) => {
      if (text === '[DONE]' || reading.left === 'not-last') return undefined;
      const payload: unknown = JSON.parse(text);
      const data = namesItsEvents.has(reading.dialect) ? { type: event, data: payload } : payload;
      const end = endOf(data);
      if (end === 'not-last') {
        reading.left = end;
        return 'over';
      }
      const frame = {
        moment: history.moment(),
        connection,
        ...(isOfRun && { runId }),
        ...(id && { id }),
        data,
      };
      reading.frames.push(frame);
      last = placeOf(data, id) ?? last;
      return end;
    };
    return readEvents(world, instance, { who, ...place(last), take }, manners);
  };
}

function socketReader({ world, history, reading }: ReaderParts): Reader {
  const { who, chatId, messageId } = reading;
  let connection = 0;
  return async (instance, { leaveAfter, stopped }) => {
    connection += 1;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    let frames = 0;
    const socket = await openSocket(instance, who as PersonName, (data) => {
      const isOfTurn = data.message_id === messageId;
      if (isOfTurn) reading.frames.push({ moment: history.moment(), connection, data });
      frames += 1;
      const end = endOfTurn(data, isOfTurn);
      if (end) world.after(20, () => resolve(end));
      else if (frames >= leaveAfter) resolve('again');
    });
    if (!socket) return 'again';
    socket.send({ type: 'resume', conversation_id: chatId, message_id: messageId, accept_approvals: true });
    void socket.closed.then(() => resolve('again'));
    void stopped.then(() => resolve('again'));
    const outcome = await promise;
    socket.close();
    return outcome;
  };
}

/** `complete`, or an error after which nothing of the turn follows. */
function endOfTurn(frame: Readonly<Record<string, unknown>>, isOfTurn: boolean): Outcome | undefined {
  if (frame.type === 'complete' && isOfTurn) return 'over';
  if (frame.type !== 'error' || frame.tool_call_id !== undefined || frame.recoverable === true)
    return undefined;
  if (isOfTurn && frame.code === 'LLM_ERROR') return 'over';
  if (frame.code === 'ACCESS_DENIED' && !/signed in/.test(String(frame.message))) return 'gone';
  return /gone/.test(String(frame.message)) ? 'gone' : 'again';
}
