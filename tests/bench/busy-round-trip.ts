import { type Distribution, distributionOf } from './support/distribution.ts';
import { inTurns } from './support/in-turns.ts';
import { measuredChat, transports } from './support/measured-client.ts';
import { wordsFor } from './support/payment-script.ts';
import { startWorker } from './support/worker-process.ts';

/** From an answer to the last byte of its response, while other chats do the same. Times in milliseconds. */
export type BusyRoundTrip = { readonly contestant: string; readonly toLastByte: Distribution };

const chatsAtOnce = 64;
const flowsEach = 4;

/** 64 chats at once, each with one flow after the other, to ours and to plain `ai`. @param rounds of each contestant */
export async function busyRoundTrip(rounds: number): Promise<BusyRoundTrip[]> {
  const ours = startWorker('workers/countersign-server.ts');
  const plain = startWorker('workers/plain-server.ts');
  const [url, plainUrl] = [await ours.ask<string>('open'), await plain.ask<string>('open')];
  const entrants = [
    { name: 'Countersign SSE, SQLite', client: transports.sse(url), times: [] as number[] },
    { name: 'plain ai HTTP, SQLite', client: transports.plain(plainUrl), times: [] as number[] },
  ];
  const roundOf = async ({ client, times }: (typeof entrants)[number]) => {
    await Promise.all(
      Array.from({ length: chatsAtOnce }, async () => {
        for (let flow = 0; flow < flowsEach; flow += 1) {
          const chatId = crypto.randomUUID();
          const chat = measuredChat(client, chatId, []);
          await chat.say(wordsFor('chain', chatId));
          for (let answer = 0; answer < 2; answer += 1) times.push((await chat.approve()).last);
        }
      }),
    );
  };
  for (const entrant of entrants) await roundOf(entrant);
  for (const { times } of entrants) times.length = 0;
  for (const entrant of inTurns(entrants, rounds)) await roundOf(entrant);
  for (const { client } of entrants) client.close();
  await Promise.all([ours.stop(), plain.stop()]);
  return entrants.map(({ name, times }) => ({ contestant: name, toLastByte: distributionOf(times) }));
}
