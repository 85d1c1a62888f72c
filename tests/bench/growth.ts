import type { Durable } from './support/contestant.ts';
import { median } from './support/distribution.ts';
import { measuredChat, transports } from './support/measured-client.ts';
import { wordsFor } from './support/payment-script.ts';
import { rawGet } from './support/raw-response.ts';
import { startWorker, type WorkerProcess } from './support/worker-process.ts';

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

/** So much may be written to have one more chat of a length: longer chats are used for more than one sample. */
const seededMessages = 20_000;

/** What one answer, one model step and one resume cost as a chat grows. Over SSE, on SQLite, transcripts warm. */
export async function growth(options: {
  readonly samples: number;
  readonly durable: Durable;
}): Promise<Growth[]> {
  const server = startWorker('workers/countersign-server.ts');
  const bare = startWorker('workers/floor-server.ts');
  const url = await server.ask<string>('open');
  const bareUrl = await bare.ask<string>('open', options.durable);
  const rows: Growth[] = [];
  for (const messages of [10, ...lengths]) {
    const chats = Math.max(1, Math.min(options.samples, Math.floor(seededMessages / messages)));
    const measured: Omit<Growth, 'messages'>[] = [];
    for (let chat = 0; chat < chats; chat += 1) {
      const samples = Math.ceil(options.samples / chats);
      measured.push(...(await sampleChat({ server, bare, url, bareUrl, messages, samples })));
    }
    const medianOf = (what: keyof Omit<Growth, 'messages'>) => median(measured.map((times) => times[what]));
    rows.push({
      messages,
      answer: medianOf('answer'),
      modelStep: medianOf('modelStep'),
      floorModelStep: medianOf('floorModelStep'),
      resume: medianOf('resume'),
    });
  }
  await Promise.all([server.stop(), bare.stop()]);
  // The first length came twice: once to warm up what is measured.
  return rows.slice(1);
}

async function sampleChat(options: {
  readonly server: WorkerProcess;
  readonly bare: WorkerProcess;
  readonly url: string;
  readonly bareUrl: string;
  readonly messages: number;
  readonly samples: number;
}): Promise<Omit<Growth, 'messages'>[]> {
  const { server, bare, url, bareUrl, messages, samples } = options;
  const chatId = crypto.randomUUID();
  await server.ask('seed', chatId, messages);
  await bare.ask('seed', chatId, messages);
  const chat = measuredChat(transports.sse(url), chatId, []);
  const bareChat = measuredChat(transports.sse(bareUrl), chatId, []);
  const rows: Omit<Growth, 'messages'>[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    // Words of each turn's own: the script and the till know a payment by them.
    await chat.say(wordsFor('pair', `${chatId}-pair-${sample}`));
    const { question: answer = Number.NaN } = await chat.approve();
    const resume = (await rawGet(`${url}/api/chat/${chatId}/stream`)).last;
    await chat.approve();
    await chat.say(wordsFor('chain', `${chatId}-chain-${sample}`));
    const { question: modelStep = Number.NaN } = await chat.approve();
    await chat.approve();
    await bareChat.say(wordsFor('chain', chatId));
    const { question: floorModelStep = Number.NaN } = await bareChat.approve();
    await bareChat.approve();
    rows.push({ answer, modelStep, floorModelStep, resume });
  }
  return rows;
}
