import { readEventStream } from '../../client/http/event-stream.ts';
import { backoff } from '../../protocol/clock/backoff.ts';
import { sleep } from '../../protocol/clock/sleep.ts';
import { parseJson } from '../../protocol/index.ts';
import { type QuestionJson, questionSchema } from '../../protocol/wire/question.ts';
import { Refusal } from './exit-code.ts';
import type { Server } from './server.ts';

/** What following the feed reports. */
export type FeedReport =
  /**
   * Connected. What this user may answer may have changed meanwhile: read the list. `resumed`: the feed continues after its
   * last event, so it has all that was settled.
   */
  | { readonly type: 'connected'; readonly resumed: boolean }
  /** The connection is lost, and the next attempt begins after the delay. */
  | { readonly type: 'lost'; readonly why: string; readonly delayMs: number }
  | { readonly type: 'opened' | 'settled'; readonly question: QuestionJson; readonly raw: unknown };

/** The server sends a comment after 15 s of silence, so a connection that is silent for longer is dead. */
const silenceMs = 45_000;

/** Refusals that another attempt does not change. */
const final = new Set(['unauthenticated', 'forbidden', 'not-found']);

/**
 * Follows the feed of questions until the signal aborts. After a lost connection it continues after the last event, after
 * delays that double up to 30 s.
 *
 * @param wait default: by the machine's clock
 * @throws Refusal if the server refuses for good
 * @source H11, ADR 0044.5
 */
export async function* followFeed(
  server: Server,
  signal: AbortSignal,
  wait: (ms: number) => Promise<unknown> = (ms) => sleep(ms, signal),
): AsyncGenerator<FeedReport, void, void> {
  let position: string | undefined;
  for (let failures = 0; !signal.aborted; ) {
    let why = 'the server closed it';
    try {
      const resumed = position !== undefined;
      const onId = (id: string) => {
        position = id;
      };
      for await (const item of connectionOf(server, { position, onId }, signal)) {
        failures = 0;
        yield item.type === 'connected' ? { ...item, resumed } : item;
      }
    } catch (error) {
      if (error instanceof Refusal && final.has(error.code)) throw error;
      // This server does not know the position.
      if (error instanceof Refusal && error.code === 'invalid-request') position = undefined;
      why = error instanceof Error ? error.message : String(error);
    }
    if (signal.aborted) return;
    failures += 1;
    const delayMs = backoff(failures, 1_000, 30_000);
    yield { type: 'lost', why, delayMs };
    await wait(delayMs);
  }
}

type Item = { readonly type: 'connected' } | Extract<FeedReport, { type: 'opened' | 'settled' }>;

async function* connectionOf(
  server: Server,
  { position, onId }: { readonly position: string | undefined; readonly onId: (id: string) => void },
  signal: AbortSignal,
): AsyncGenerator<Item, void, void> {
  const silent = new AbortController();
  const cut = () => silent.abort(new Error(`no sign of life for ${silenceMs / 1_000} s`));
  let timer = setTimeout(cut, silenceMs);
  let isFirst = true;
  const onText = (text: string) => {
    clearTimeout(timer);
    timer = setTimeout(cut, silenceMs);
    // The first frame has an id and no data. A parser of events drops it.
    const startId = isFirst ? /^id: ?(.+)/.exec(text)?.[1] : undefined;
    isFirst = false;
    if (startId !== undefined) onId(startId);
  };
  try {
    const headers = {
      accept: 'text/event-stream',
      ...(position !== undefined && { 'last-event-id': position }),
    };
    const body = await server.open('/approvals/events', headers, AbortSignal.any([signal, silent.signal]));
    yield { type: 'connected' };
    for await (const { event, id, data } of readEventStream(body, onText)) {
      const raw = parseJson(data);
      const question = questionSchema.safeParse(raw).data;
      if (question && (event === 'opened' || event === 'settled')) yield { type: event, question, raw };
      if (id !== undefined) onId(id);
    }
  } finally {
    clearTimeout(timer);
  }
}
