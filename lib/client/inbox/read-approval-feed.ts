import { parseQuestion, type Question } from '../question.ts';
import type { ApprovalsApi } from './approvals-api.ts';

/** A question that was opened or settled, here or anywhere else. @source H11 */
export type FeedEvent = { readonly type: 'opened' | 'settled'; readonly question: Question };

/** `lost` is tried again, for good, until the reader leaves. */
export type FeedConnection = 'connecting' | 'live' | 'lost';

/** What a reader of the feed is told. `onConnection` comes first: at `live` a list that is read then misses nothing. */
export type FeedReader = {
  readonly onEvent?: (event: FeedEvent) => void;
  readonly onConnection?: (connection: FeedConnection) => void;
};

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
/** The server breaks its silence every 15 s; a line that is dead says nothing at all. */
const silenceMs = 45_000;

/**
 * Reads the feed of questions until it is left. Goes on where it was after every break: by network, by a restarting
 * server, by a refusal. An `EventSource` would give up at the first HTTP error, and forget its place.
 *
 * @returns leaves the feed
 * @source H11
 */
export function readApprovalFeed(
  { api, fetch = globalThis.fetch }: ApprovalsApi,
  { onEvent, onConnection }: FeedReader,
): () => void {
  const url = `${api}/events`;
  const left = new AbortController();
  const { signal } = left;

  const read = async () => {
    let lastId: string | undefined;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        const headers = {
          accept: 'text/event-stream',
          ...(lastId !== undefined && { 'last-event-id': lastId }),
        };
        const open = (line: AbortSignal) => fetch(url, { headers, cache: 'no-store', signal: line });
        for await (const frame of framesOf(open, signal)) {
          if (attempt >= 0) onConnection?.('live');
          attempt = -1;
          lastId = frame.id ?? lastId;
          if (frame.event) onEvent?.(frame.event);
        }
      } catch (error) {
        // A place that this server does not know: from now on, then.
        if (error instanceof RefusedFeedError && error.status === 400) lastId = undefined;
      }
      if (signal.aborted) return;
      onConnection?.('lost');
      await pause(Math.min(longestPauseMs, firstPauseMs * 2 ** Math.max(0, attempt)), signal);
    }
  };
  void read();
  return () => left.abort();
}

class RefusedFeedError extends Error {
  override readonly name = 'RefusedFeedError';
  readonly status: number;

  constructor(status: number) {
    super(`The feed of questions was refused with ${status}.`);
    this.status = status;
  }
}

type Frame = { readonly id?: string; readonly event?: FeedEvent };

/** The frames of one connection, comments included: any of them says that the line is alive. */
async function* framesOf(
  open: (line: AbortSignal) => Promise<Response>,
  signal: AbortSignal,
): AsyncGenerator<Frame> {
  const line = new AbortController();
  const hangUp = () => line.abort();
  signal.addEventListener('abort', hangUp);
  let timer = setTimeout(hangUp, silenceMs);
  try {
    const response = await open(line.signal);
    if (!response.ok || !response.body) throw new RefusedFeedError(response.status);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      clearTimeout(timer);
      timer = setTimeout(hangUp, silenceMs);
      const blocks = (rest + next.value).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield parseFrame(block);
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', hangUp);
    // Left early: the server need not write any more.
    line.abort();
  }
}

function parseFrame(block: string): Frame {
  const fields = new Map(
    block.split('\n').flatMap((line): [string, string][] => {
      const colon = line.indexOf(':');
      return colon < 1 ? [] : [[line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]];
    }),
  );
  const id = fields.get('id');
  const type = (['opened', 'settled'] as const).find((known) => known === fields.get('event'));
  const question = type && parseQuestion(parseJson(fields.get('data') ?? ''));
  return { ...(id !== undefined && { id }), ...(type && question && { event: { type, question } }) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Waits, but not past the moment at which the network is back or somebody looks. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const listen = { signal: over.signal };
  let timer: ReturnType<typeof setTimeout> | undefined;
  return new Promise<void>((resolve) => {
    const end = () => resolve();
    timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, listen);
    window.addEventListener('online', end, listen);
    document.addEventListener(
      'visibilitychange',
      () => document.visibilityState === 'visible' && end(),
      listen,
    );
  }).finally(() => {
    clearTimeout(timer);
    over.abort();
  });
}
