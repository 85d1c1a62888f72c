import type { EventSourceMessage } from 'eventsource-parser';
import { feedReaderHeader } from '../../../protocol/wire/feed-reader.ts';
import { readEventStream } from '../../http/event-stream.ts';
import { serverAheadMs } from '../../http/server-clock.ts';
import type { ApprovalsApi } from '../approvals-api.ts';

/** The server sends a comment after 15 s of silence, so a connection that is silent for longer is dead. */
export const silenceMs = 45_000;

/** One connection to the feed. */
export type OpenedFeed = {
  /** Names who reads it; absent from a server that does not say. */
  readonly reader: string | undefined;
  /** How far the server's clock is ahead of this machine's, in milliseconds, if known. */
  readonly aheadMs: number | undefined;
  /** @throws a network error when the connection breaks */
  readonly messages: (on: {
    /** Called with each piece of text, comments included. */
    readonly onAlive: () => void;
    /** The position where the feed starts. */
    readonly onStart: (id: string) => void;
  }) => AsyncGenerator<EventSourceMessage, void, void>;
};

/** The server refused the feed. */
export class RefusedFeedError extends Error {
  override readonly name = 'RefusedFeedError';
  readonly status: number;

  constructor(status: number) {
    super(`The feed of questions was refused with ${status}.`);
    this.status = status;
  }
}

/**
 * Connects to the feed of questions.
 *
 * @param connection ends it, and is aborted when the server is silent for too long
 * @param after the position to resume after
 * @throws RefusedFeedError, or a network error
 */
export async function openFeed(
  { api, fetch = globalThis.fetch }: ApprovalsApi,
  connection: AbortController,
  after: string | undefined,
): Promise<OpenedFeed> {
  const { signal } = connection;
  const disconnect = () => connection.abort();
  let timer = setTimeout(disconnect, silenceMs);
  signal.addEventListener('abort', () => clearTimeout(timer));
  const headers = { accept: 'text/event-stream', ...(after !== undefined && { 'last-event-id': after }) };
  const sentAt = Date.now();
  const response = await fetch(`${api}/events`, { headers, cache: 'no-store', signal });
  const { body } = response;
  if (!response.ok || !body) throw new RefusedFeedError(response.status);
  return {
    reader: response.headers.get(feedReaderHeader) ?? undefined,
    aheadMs: serverAheadMs(response, { sentAt, receivedAt: Date.now() }),
    messages({ onAlive, onStart }) {
      const readStart = startReader(onStart);
      return readEventStream(body, (text) => {
        clearTimeout(timer);
        timer = setTimeout(disconnect, silenceMs);
        readStart(text);
        onAlive();
      });
    },
  };
}

/**
 * Reads the id on the first line of a feed. The server sends it without data, before any event, so that a connection
 * that breaks before its first event can be resumed. A parser of server-sent events drops events without data.
 */
function startReader(onStart: (id: string) => void): (text: string) => void {
  let line: string | undefined = '';
  return (text) => {
    if (line === undefined) return;
    line += text;
    if (!/[\r\n]/.test(text)) return;
    const id = /^id: ?(.+)/.exec(line)?.[1];
    line = undefined;
    if (id !== undefined) onStart(id);
  };
}
