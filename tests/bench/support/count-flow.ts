import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from 'countersign';
import type { FlowStore } from 'countersign/store';
import { sqliteStore } from 'countersign/store';
import { serveFlow } from '../../../lib/testing/server/serve-flow.ts';
import { benchFlow, openOn } from '../contestants/countersign.ts';
import { countPromises } from './count-promises.ts';
import { countSqlite, type SqliteCounts } from './count-sqlite.ts';
import { type MeasuredTransport, measuredChat, transports } from './measured-client.ts';
import { createTill, wordsFor } from './payment-script.ts';

/** What one flow (message, question, answer, question, answer, final) costs, in things that can be counted. */
export type FlowCounts = {
  /** From an answer to its response's end: the call that runs, one model step and what comes after. The larger of two. */
  readonly statementsPerAnswer: number;
  /** Each one fsync, likewise. */
  readonly durableWritesPerAnswer: number;
  /** The body of its request over SSE, its frame over BIDI. */
  readonly bytesPerAnswer: number;
  /** Appends and events of the whole flow: it is one turn. */
  readonly appendsPerTurn: number;
  readonly eventsPerTurn: number;
  /** Each one fsync, in the whole flow. */
  readonly durableWritesPerFlow: number;
  /** Of server and client, in the whole flow. */
  readonly promisesPerFlow: number;
};

/** How long a person takes to answer. More than a second, after which a chat moves in its owner's list. */
const readingMs = 10_000;

/** Counts one flow of a real server, over one of the transports, on the embedded store. */
export async function countFlow(transport: 'sse' | 'bidi'): Promise<FlowCounts> {
  await using server = await startCountedServer();
  const client = transports[transport](server.url);
  const sqlite = countSqlite();
  const promises = countPromises();
  try {
    await wholeFlow(client, 'warm-up', server, sqlite.counts);
    const begun = sqlite.counts();
    const promisesBefore = promises.count();
    const { events, appends, answers } = await wholeFlow(client, 'counted', server, sqlite.counts);
    return {
      statementsPerAnswer: Math.max(...answers.map(({ statements }) => statements)),
      durableWritesPerAnswer: Math.max(...answers.map(({ durableWrites }) => durableWrites)),
      bytesPerAnswer: Math.max(...answers.map(({ bytes }) => bytes)),
      appendsPerTurn: appends,
      eventsPerTurn: events,
      durableWritesPerFlow: sqlite.counts().durableWrites - begun.durableWrites,
      promisesPerFlow: promises.count() - promisesBefore,
    };
  } finally {
    promises.stop();
    sqlite.stop();
    client.close();
  }
}

/** Bytes on disk of a finished flow, indexes and all. @param flows the more, the less whole pages blur it */
export async function storedBytesPerFlow(flows: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-stored-'));
  const path = join(folder, 'stored.sqlite');
  try {
    await sqliteStore({ path }).close();
    const empty = statSync(path).size;
    const contestant = openOn(sqliteStore({ path }), createTill());
    for (let flow = 0; flow < flows; flow += 1) {
      const chat = contestant.chat(`stored-${flow}`);
      for (let [question] = await chat.begin('chain'); question; ) [question] = await chat.answer(question);
    }
    await contestant.close();
    return Math.round((statSync(path).size - empty) / flows);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type Written = { appends: number; events: number };

type CountedServer = Awaited<ReturnType<typeof startCountedServer>>;

async function startCountedServer() {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-counts-'));
  const written: Written = { appends: 0, events: 0 };
  const store = countAppends(sqliteStore({ path: join(folder, 'counts.sqlite') }), written);
  // Time passes only while a person reads, and no timer fires: no count depends on how fast a machine is.
  let now = Date.UTC(2026, 0, 1);
  const clock: Clock = { now: () => now, after: () => () => {} };
  const flow = benchFlow(store, createTill(), { clock });
  const served = await serveFlow(flow, { authorize: () => ({ id: 'bench', name: 'Bench' }) });
  return {
    url: served.url,
    written,
    read() {
      now += readingMs;
    },
    async [Symbol.asyncDispose]() {
      await served.close();
      await flow.close();
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function countAppends(store: FlowStore, written: Written): FlowStore {
  return {
    ...store,
    async append(batch) {
      const outcome = await store.append(batch);
      if (outcome === 'appended') {
        written.appends += 1;
        written.events += batch.events.length;
      }
      return outcome;
    },
  };
}

async function wholeFlow(
  client: MeasuredTransport,
  chatId: string,
  { written, read }: CountedServer,
  counts: () => SqliteCounts,
) {
  const before = { ...written };
  const chat = measuredChat(client, chatId, []);
  await chat.say(wordsFor('chain', chatId));
  const answers: (SqliteCounts & { readonly bytes: number })[] = [];
  for (let answer = 0; answer < 2; answer += 1) {
    read();
    const begun = counts();
    const { sentBytes: bytes } = await chat.approve();
    const { statements, durableWrites } = counts();
    answers.push({
      bytes,
      statements: statements - begun.statements,
      durableWrites: durableWrites - begun.durableWrites,
    });
  }
  return {
    answers,
    appends: written.appends - before.appends,
    events: written.events - before.events,
  };
}
