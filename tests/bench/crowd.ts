import { type Distribution, distributionOf, median } from './support/distribution.ts';
import { inTurns } from './support/in-turns.ts';
import { measuredChat, transports } from './support/measured-client.ts';
import { wordsFor } from './support/payment-script.ts';
import { startWorker } from './support/worker-process.ts';

/** One user's turn beside feeds that others have open. */
export type Crowd = {
  readonly feeds: number;
  /** The others, who share the feeds. */
  readonly users: number;
  /** A whole turn: message, question, answer, question, answer, final. Milliseconds. */
  readonly turn: Distribution;
  /** Median of the ratios to the turn that was taken beside it, without any feed. */
  readonly ratio: number;
};

/** A user may have 100 feeds; the servers of this table let one have more, to show what the limit is for. */
const crowds = [
  { feeds: 0, users: 1 },
  { feeds: 100, users: 1 },
  { feeds: 1_500, users: 1 },
  { feeds: 1_500, users: 15 },
] as const;

/**
 * One user's turns over SSE on SQLite, while others have feeds of questions open that are told nothing of them: a server
 * of its own for each row, in turns, and one process that holds all feeds.
 *
 * @param turns for each row
 */
export async function crowd(turns: number): Promise<Crowd[]> {
  const readers = startWorker('workers/feed-crowd.ts');
  const entrants = await Promise.all(
    crowds.map(async ({ feeds, users }) => {
      const worker = startWorker('workers/countersign-server.ts');
      const url = await worker.ask<string>('open');
      return { feeds, users, worker, url, client: transports.sse(url), times: [] as number[] };
    }),
  );
  for (const { url, feeds, users } of entrants) await readers.ask('open', url, feeds, users);
  const warmUp = Math.ceil(turns / 5);
  for (const { client, times } of inTurns(entrants, turns + warmUp)) {
    const chatId = crypto.randomUUID();
    const chat = measuredChat(client, chatId, []);
    const start = performance.now();
    await chat.say(wordsFor('chain', chatId));
    await chat.approve();
    await chat.approve();
    times.push(performance.now() - start);
  }
  await readers.stop();
  for (const { client } of entrants) client.close();
  await Promise.all(entrants.map(({ worker }) => worker.stop()));
  const [alone = []] = entrants.map(({ times }) => times.slice(warmUp));
  return entrants.map(({ feeds, users, times }) => {
    const measured = times.slice(warmUp);
    const ratios = measured.map((ms, round) => ms / (alone[round] ?? Number.NaN));
    return { feeds, users, turn: distributionOf(measured), ratio: median(ratios) };
  });
}
