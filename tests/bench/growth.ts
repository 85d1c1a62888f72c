import type { Durable } from './support/contestant.ts';
import { median } from './support/distribution.ts';
import { measuredChat, transports } from './support/measured-client.ts';
import { wordsFor } from './support/payment-script.ts';
import { rawGet } from './support/raw-response.ts';
import { startWorker } from './support/worker-process.ts';

/** One row of the table: a chat of so many messages. Medians, in milliseconds. */
export type Growth = {
  readonly messages: number;
  /** An answer, to the next question of the same step: no model is called. */
  readonly answer: number;
  /** An answer, to the next question of the next step: the call runs, and the model is told of it. */
  readonly modelStep: number;
  /** The same by the same client, of a server that leaves out all that can be left out: what no engine can be under. */
  readonly floorModelStep: number;
  /** A page that comes back: the current message again. */
  readonly resume: number;
};

/** How many messages a chat has. */
const lengths = [10, 100, 1_000, 10_000] as const;

/** Of four, each follows each other one equally often: what a long chat leaves behind in the process is shared by all. */
const orders = [
  [0, 1, 3, 2],
  [1, 2, 0, 3],
  [2, 3, 1, 0],
  [3, 0, 2, 1],
] as const;

/** So much may be written to have one more chat of a length: longer chats are used for more than one sample. */
const seededMessages = 20_000;

type Sample = Omit<Growth, 'messages'>;

/**
 * What one answer, one model step and one resume cost as a chat grows. Over SSE, on SQLite, transcripts warm. The
 * lengths take turns.
 */
export async function growth({
  samples,
  durable,
}: {
  readonly samples: number;
  readonly durable: Durable;
}): Promise<Growth[]> {
  const server = startWorker('workers/countersign-server.ts');
  const bare = startWorker('workers/floor-server.ts');
  const url = await server.ask<string>('open');
  const bareUrl = await bare.ask<string>('open', durable);

  /** Chats of one length, a sample at a time. A long one is used for several. */
  function sampler(messages: number): () => Promise<Sample> {
    const chats = Math.max(1, Math.min(samples, Math.floor(seededMessages / messages)));
    const samplesEach = Math.ceil(samples / chats);
    let sample: (count: number) => Promise<Sample>;
    let count = 0;
    return async () => {
      if (count % samplesEach === 0) {
        const chatId = crypto.randomUUID();
        for (const worker of [server, bare]) await worker.ask('seed', chatId, messages);
        sample = sampledChat({ url, bareUrl, chatId });
      }
      count += 1;
      return sample(count);
    };
  }

  const warm = sampler(lengths[0]);
  for (let sample = 0; sample < samples; sample += 1) await warm();
  const series = lengths.map((messages) => ({ messages, next: sampler(messages), taken: [] as Sample[] }));
  for (let round = 0; round < samples; round += 1) {
    for (const place of orders[round % orders.length] ?? []) {
      const { next, taken } = series[place] ?? {};
      if (next) taken?.push(await next());
    }
  }
  await Promise.all([server.stop(), bare.stop()]);
  return series.map(({ messages, taken }) => {
    const medianOf = (what: keyof Sample) => median(taken.map((times) => times[what]));
    return {
      messages,
      answer: medianOf('answer'),
      modelStep: medianOf('modelStep'),
      floorModelStep: medianOf('floorModelStep'),
      resume: medianOf('resume'),
    };
  });
}

function sampledChat({ url, bareUrl, chatId }: { url: string; bareUrl: string; chatId: string }) {
  const chat = measuredChat(transports.sse(url), chatId, []);
  const bareChat = measuredChat(transports.sse(bareUrl), chatId, []);
  return async (count: number): Promise<Sample> => {
    // Words of each turn's own: the script and the till know a payment by them.
    await chat.say(wordsFor('pair', `${chatId}-pair-${count}`));
    const { question: answer = Number.NaN } = await chat.approve();
    const resume = (await rawGet(`${url}/api/chat/${chatId}/stream`)).last;
    await chat.approve();
    await chat.say(wordsFor('chain', `${chatId}-chain-${count}`));
    const { question: modelStep = Number.NaN } = await chat.approve();
    await chat.approve();
    await bareChat.say(wordsFor('chain', chatId));
    const { question: floorModelStep = Number.NaN } = await bareChat.approve();
    await bareChat.approve();
    return { answer, modelStep, floorModelStep, resume };
  };
}
