import { type Distribution, distributionOf } from './support/distribution.ts';
import { inTurns } from './support/in-turns.ts';
import { measuredChat, transports } from './support/measured-client.ts';
import { wordsFor } from './support/payment-script.ts';
import { startWorker } from './support/worker-process.ts';

/** An answer with and without plugins, to the last byte of its response. Times in milliseconds. */
export type PluginCost = { readonly plugins: 'none' | 'all'; readonly toLastByte: Distribution };

/** Over SSE, on SQLite, in chats of one message. The two servers take turns. @param samples chats of each */
export async function pluginCost(samples: number): Promise<PluginCost[]> {
  const entrants = await Promise.all(
    (['none', 'all'] as const).map(async (plugins) => {
      const worker = startWorker('workers/countersign-server.ts');
      const url = await worker.ask<string>('open', undefined, plugins);
      return { plugins, worker, client: transports.sse(url), times: [] as number[] };
    }),
  );
  const warmUp = Math.ceil(samples / 10);
  for (const { client, times } of inTurns(entrants, samples + warmUp)) {
    const chatId = crypto.randomUUID();
    const chat = measuredChat(client, chatId, []);
    await chat.say(wordsFor('chain', chatId));
    for (let answer = 0; answer < 2; answer += 1) times.push((await chat.approve()).last);
  }
  return Promise.all(
    entrants.map(async ({ plugins, worker, client, times }) => {
      client.close();
      await worker.stop();
      return { plugins, toLastByte: distributionOf(times.slice(2 * warmUp)) };
    }),
  );
}
