import type { EventSourceMessage } from 'eventsource-parser';
import { parseJson } from '../../protocol/json.ts';
import { readEventStream } from '../event-stream.ts';
import { parseQuestion, type Question } from '../question.ts';
import { serverAheadMs } from '../server-clock.ts';
import type { ApprovalsApi } from './approvals-api.ts';

/** A question that was opened or settled, on this page or elsewhere. @source H11 */
export type FeedEvent = { readonly type: 'opened' | 'settled'; readonly question: Question };

/** After `lost` the reader reconnects, without a limit, until it is closed. */
export type FeedConnection = 'connecting' | 'live' | 'lost';

/** The state of a `lost` feed. */
export type FeedOutage = {
  /**
   * Requests can reach the server, as far as is known: it ended the feed in order, or it, or a gateway before it,
   * refused the feed with a status other than 502 to 504.
   */
  readonly isReached: boolean;
  /** When the next attempt begins: epoch milliseconds of this machine. Absent during an attempt. */
  readonly retryAt?: number;
  /** Begins the next attempt now. */
  readonly retry: () => void;
};

/** Callbacks of the feed. A list that is read after `onConnection('live')` misses no question. */
export type FeedReader = {
  readonly onEvent?: (event: FeedEvent) => void;
  /** `outage` is given with `lost`, which is reported again when an attempt begins. */
  readonly onConnection?: (connection: FeedConnection, outage?: FeedOutage) => void;
  /**
   * How far the server's clock is ahead of this machine's, in milliseconds. Called when a connection begins,
   * if the difference is known.
   */
  readonly onClock?: (aheadMs: number) => void;
};

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
/** The server sends a comment after 15 s of silence, so a connection that is silent for longer is dead. */
const silenceMs = 45_000;

/**
 * Reads the feed of questions until it is closed. After a lost connection, a server restart or an HTTP error it
 * reconnects and resumes after the last event. `EventSource` gives up at the first HTTP error, and loses its position.
 *
 * @returns closes the feed
 * @source H11
 */
export function readApprovalFeed(
  { api, fetch = globalThis.fetch }: ApprovalsApi,
  { onEvent, onConnection, onClock }: FeedReader,
): () => void {
  const url = `${api}/events`;
  const closed = new AbortController();
  const { signal } = closed;

  const read = async () => {
    let lastId: string | undefined;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const onAlive = () => {
        if (attempt >= 0) onConnection?.('live');
        attempt = -1;
      };
      const onId = (id: string) => {
        lastId = id;
      };
      let isReached = false;
      let lastedMs = 0;
      const beganAt = performance.now();
      try {
        const headers = {
          accept: 'text/event-stream',
          ...(lastId !== undefined && { 'last-event-id': lastId }),
        };
        const open = async (signal: AbortSignal) => {
          const sentAt = Date.now();
          const response = await fetch(url, { headers, cache: 'no-store', signal });
          const aheadMs = serverAheadMs(response, { sentAt, receivedAt: Date.now() });
          if (aheadMs !== undefined) onClock?.(aheadMs);
          return response;
        };
        for await (const event of eventsOf(open, { signal, onAlive, onId })) onEvent?.(event);
        // The server ends a feed if what its reader may see has changed. A person may be about to answer.
        if (attempt < 0) {
          isReached = true;
          lastedMs = performance.now() - beganAt;
        }
      } catch (error) {
        // This server does not know the position: continue with new events.
        if (error instanceof RefusedFeedError && error.status === 400) lastId = undefined;
        isReached = error instanceof RefusedFeedError && !isOfGateway(error.status);
      }
      if (signal.aborted) return;
      const { retryAt, retry, ended } = pause(pauseBefore(attempt, lastedMs), signal);
      onConnection?.('lost', { isReached, retryAt, retry });
      await ended;
      if (!signal.aborted) onConnection?.('lost', { isReached, retry: () => {} });
    }
  };
  void read();
  return () => closed.abort();
}

/**
 * Milliseconds. Shortened at random, so that many pages do not reconnect to a restarted server at the same
 * moment.
 *
 * @param lastedMs how long the feed lasted that the server ended; it counts as part of the pause
 */
function pauseBefore(attempt: number, lastedMs: number): number {
  if (attempt < 0) return Math.max(0, firstPauseMs - lastedMs);
  const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** attempt);
  const [part = 0] = crypto.getRandomValues(new Uint8Array(1));
  return attempt === 0 ? longest : longest * (1 - part / 1024);
}

/** A proxy replies in place of a server that is down. */
function isOfGateway(status: number): boolean {
  return status >= 502 && status <= 504;
}

class RefusedFeedError extends Error {
  override readonly name = 'RefusedFeedError';
  readonly status: number;

  constructor(status: number) {
    super(`The feed of questions was refused with ${status}.`);
    this.status = status;
  }
}

type ConnectionReader = {
  readonly signal: AbortSignal;
  /** Called with each piece of text, comments included. */
  readonly onAlive: () => void;
  /** The position to resume after. */
  readonly onId: (id: string) => void;
};

/** The events of one connection, which ends when it is silent for too long. */
async function* eventsOf(
  open: (signal: AbortSignal) => Promise<Response>,
  { signal, onAlive, onId }: ConnectionReader,
): AsyncGenerator<FeedEvent, void, void> {
  const connection = new AbortController();
  const disconnect = () => connection.abort();
  signal.addEventListener('abort', disconnect);
  // A connection may outlive its network for minutes, without any data.
  globalThis.window?.addEventListener('offline', disconnect);
  let timer = setTimeout(disconnect, silenceMs);
  try {
    const response = await open(connection.signal);
    if (!response.ok || !response.body) throw new RefusedFeedError(response.status);
    const readStartId = startIdReader(onId);
    const onText = (text: string) => {
      clearTimeout(timer);
      timer = setTimeout(disconnect, silenceMs);
      readStartId(text);
      onAlive();
    };
    for await (const message of readEventStream(response.body, onText)) {
      if (message.id !== undefined) onId(message.id);
      const event = parseEvent(message);
      if (event) yield event;
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', disconnect);
    globalThis.window?.removeEventListener('offline', disconnect);
    // If closed early, the server can stop writing.
    connection.abort();
  }
}

/**
 * Reads the id on the first line of a feed. The server sends it without data, before any event, so that a connection
 * that breaks before its first event can be resumed. A parser of server-sent events drops events without data.
 */
function startIdReader(onId: (id: string) => void): (text: string) => void {
  let line: string | undefined = '';
  return (text) => {
    if (line === undefined) return;
    line += text;
    if (!/[\r\n]/.test(text)) return;
    const id = /^id: ?(.+)/.exec(line)?.[1];
    line = undefined;
    if (id !== undefined) onId(id);
  };
}

function parseEvent({ event, data }: EventSourceMessage): FeedEvent | undefined {
  if (event !== 'opened' && event !== 'settled') return undefined;
  const question = parseQuestion(parseJson(data));
  return question && { type: event, question };
}

/** Waits, but ends immediately when the network is back, the page becomes visible, or `retry` is called. */
function pause(ms: number, signal: AbortSignal) {
  const listening = new AbortController();
  const listen = { signal: listening.signal };
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const timer = setTimeout(end, ms);
  signal.addEventListener('abort', end, listen);
  window.addEventListener('online', end, listen);
  document.addEventListener(
    'visibilitychange',
    () => document.visibilityState === 'visible' && end(),
    listen,
  );
  const ended = over.finally(() => {
    clearTimeout(timer);
    listening.abort();
  });
  return { retryAt: Date.now() + ms, retry: end, ended };
}
