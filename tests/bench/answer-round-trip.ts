import type { Durable } from './support/contestant.ts';
import { type Distribution, distributionOf, median } from './support/distribution.ts';
import { historyMessages } from './support/history.ts';
import { inTurns } from './support/in-turns.ts';
import {
  type MeasuredTransport,
  measuredChat,
  type ResponseTimes,
  transports,
} from './support/measured-client.ts';
import { wordsFor } from './support/payment-script.ts';
import { startWorker, type WorkerProcess } from './support/worker-process.ts';

/** One row of the table. Times in milliseconds. */
export type AnswerRoundTrip = {
  readonly contestant: string;
  /** In the chat, the one that the turn began with included. */
  readonly messages: number;
  readonly toQuestion: Distribution;
  readonly toFirstByte: Distribution;
  readonly toLastByte: Distribution;
  /** Body or frame, median. */
  readonly bytesPerAnswer: number;
};

type Entrant = {
  readonly name: string;
  readonly worker: WorkerProcess;
  readonly client: MeasuredTransport;
  /** Whether the client holds and sends the chat, or the server has it. */
  readonly sendsChat: boolean;
  readonly times: ResponseTimes[][];
};

/** Not a contestant: a server that does nothing but what an answer cannot do without, to the same client. */
export const floorNames = {
  SQLite: { SSE: 'floor: bare server, HTTP', BIDI: 'floor: bare server, WebSocket' },
  Postgres: { SSE: 'floor: bare server, HTTP, Postgres', BIDI: 'floor: bare server, WebSocket, Postgres' },
} as const;

/** The chats that are measured: messages that are there when the turn begins, and how many such chats. */
const lengths = [
  { history: 0, messages: 1, share: 1 },
  { history: 100, messages: 100, share: 0.5 },
  { history: 1_000, messages: 1_000, share: 0.4 },
] as const;

/**
 * From sending an answer to the next question, and to the final response's first and last byte, over loopback, each
 * server in a process of its own. The chat's first response is not timed: it warms what a chat in use has warm.
 *
 * @param options.samples chats of one message for each contestant; fewer of the longer ones
 * @param options.durable of one answer of ours: the floor has as much
 */
export async function answerRoundTrip(options: {
  readonly connectionString: string;
  readonly samples: number;
  readonly durable: Durable;
}): Promise<AnswerRoundTrip[]> {
  const sqlite = startWorker('workers/countersign-server.ts');
  const postgres = startWorker('workers/countersign-server.ts');
  const plain = startWorker('workers/plain-server.ts');
  const bare = startWorker('workers/floor-server.ts');
  const bareOnPostgres = startWorker('workers/floor-server.ts');
  const [onSqlite, onPostgres, onPlain, onBare, onBarePostgres] = await Promise.all([
    sqlite.ask<string>('open'),
    postgres.ask<string>('open', options.connectionString),
    plain.ask<string>('open'),
    bare.ask<string>('open', options.durable),
    bareOnPostgres.ask<string>('open', options.durable, options.connectionString),
  ]);
  const entrant = (name: string, worker: WorkerProcess, client: MeasuredTransport): Entrant => ({
    ...{ name, worker, client, sendsChat: worker === plain, times: [] },
  });
  // Who is compared stands side by side, and Postgres last: it goes on working in the background for a while.
  const entrants = [
    entrant('Countersign SSE, SQLite', sqlite, transports.sse(onSqlite)),
    entrant(floorNames.SQLite.SSE, bare, transports.sse(onBare)),
    entrant('Countersign BIDI, SQLite', sqlite, transports.bidi(onSqlite)),
    entrant(floorNames.SQLite.BIDI, bare, transports.bidi(onBare)),
    entrant('plain ai HTTP, SQLite', plain, transports.plain(onPlain)),
    entrant('Countersign SSE, Postgres', postgres, transports.sse(onPostgres)),
    entrant(floorNames.Postgres.SSE, bareOnPostgres, transports.sse(onBarePostgres)),
    entrant('Countersign BIDI, Postgres', postgres, transports.bidi(onPostgres)),
    entrant(floorNames.Postgres.BIDI, bareOnPostgres, transports.bidi(onBarePostgres)),
  ];
  const rows: AnswerRoundTrip[] = [];
  for (const { history, messages, share } of lengths) {
    for (const { times } of entrants) times.length = 0;
    const samples = Math.ceil(options.samples * share);
    const warmUp = Math.ceil(samples / 10);
    for (const each of inTurns(entrants, samples + warmUp)) each.times.push(await sample(each, history));
    rows.push(...entrants.map(({ name, times }) => rowOf(name, messages, times.slice(warmUp))));
  }
  for (const { client } of entrants) client.close();
  await Promise.all([sqlite, postgres, plain, bare, bareOnPostgres].map((worker) => worker.stop()));
  return rows;
}

/** One whole turn in a chat of its own. @returns the times of its two answers */
async function sample({ worker, client, sendsChat }: Entrant, history: number): Promise<ResponseTimes[]> {
  const chatId = crypto.randomUUID();
  if (!sendsChat) await worker.ask('seed', chatId, history);
  const chat = measuredChat(client, chatId, sendsChat ? historyMessages(history) : []);
  await chat.say(wordsFor('chain', chatId));
  return [await chat.approve(), await chat.approve()];
}

function rowOf(contestant: string, messages: number, times: readonly ResponseTimes[][]): AnswerRoundTrip {
  const asked = times.flatMap(([first]) => (first ? [first] : []));
  const final = times.flatMap(([, second]) => (second ? [second] : []));
  return {
    contestant,
    messages,
    toQuestion: distributionOf(asked.map(({ question }) => question ?? Number.NaN)),
    toFirstByte: distributionOf(final.map(({ first }) => first)),
    toLastByte: distributionOf(final.map(({ last }) => last)),
    bytesPerAnswer: median([...asked, ...final].map(({ sentBytes }) => sentBytes)),
  };
}
