import { readEventStream } from '../../../client/event-stream.ts';
import { pause } from '../../../client/pause.ts';
import { readStreamEvent } from '../read-message.ts';
import type { LegacyStreamEvent, StreamEvent } from '../schema.ts';
import { connectionLost, isTransient, type ServerAddress, sendRequest, TwoStepError } from './request.ts';

/** How often a request is sent again in succession, and the pauses between. Milliseconds. */
const mostRetries = 10;
const firstPauseMs = 250;
const longestPauseMs = 8_000;

/** A stream that is read, from a place on. */
export type StreamReading = {
  readonly server: ServerAddress;
  readonly streamId: string;
  /** The id of the last frame that the client has. */
  readonly lastEventId?: string;
  readonly signal: AbortSignal;
  /** Called with each event, and its id. */
  readonly onEvent: (event: StreamEvent | LegacyStreamEvent, id: string | undefined) => void;
  /** Called when a connection is open, and when it was lost and is about to be replaced. */
  readonly onConnection: (connection: 'open' | 'reconnecting') => void;
};

/**
 * Reads a stream to its `done`, over as many connections as it takes.
 *
 * @throws TwoStepError for a refusal, or if the server stays away
 * @source B15, B17
 */
export async function readStream(reading: StreamReading): Promise<void> {
  const { server, streamId, signal, onEvent, onConnection } = reading;
  const path = `/api/chat/stream/${encodeURIComponent(streamId)}`;
  let { lastEventId } = reading;
  let isDone = false;

  /** @returns whether the connection brought anything new */
  async function connectOnce(): Promise<boolean> {
    const headers: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    const { status, body } = await sendRequest(server, path, { headers, signal });
    onConnection('open');
    isDone = status === 204;
    let hasNews = false;
    for await (const { id, event: type = 'message', data } of body && !isDone ? readEventStream(body) : []) {
      if (signal.aborted) break;
      const event = readStreamEvent({ type, data });
      lastEventId = id ?? lastEventId;
      if (!event) continue;
      isDone = event.type === 'done';
      // A server that shuts down may answer each request with its error.
      hasNews ||= event.type !== 'error' || typeof event.data.tool_call_id === 'string';
      onEvent(event, id);
      if (isDone) break;
    }
    return hasNews;
  }

  await retrying(
    signal,
    async () => {
      const hasNews = await connectOnce().catch((error: unknown) => {
        throw error instanceof TwoStepError ? error : connectionLost(error);
      });
      return isDone ? 'done' : hasNews ? 'again' : 'failed';
    },
    () => onConnection('reconnecting'),
  );
}

/**
 * Does something until it is done. After a failure it waits: longer each time, and as long as the server asks for.
 *
 * @param act `again`: it came further, so earlier failures no longer count
 * @param onPause called before each repetition
 * @throws TwoStepError if it fails permanently, or too often in succession
 */
export async function retrying(
  signal: AbortSignal,
  act: () => Promise<'done' | 'again' | 'failed'>,
  onPause: () => void = () => {},
): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    const outcome = await act().catch((error: unknown) => {
      if (!(error instanceof TwoStepError) || !isTransient(error)) throw error;
      return error;
    });
    if (outcome === 'done' || signal.aborted) return;
    if (outcome === 'again') failures = 0;
    if (failures === mostRetries) throw outcome instanceof TwoStepError ? outcome : connectionLost();
    onPause();
    const { retryAfterMs = 0 } = outcome instanceof TwoStepError ? outcome : {};
    await pause(Math.max(pauseAfter(failures), retryAfterMs), signal);
    failures += 1;
  }
}

/** None before the first repetition: most connections are lost alone. */
function pauseAfter(failures: number): number {
  if (failures === 0) return 0;
  return Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1));
}
