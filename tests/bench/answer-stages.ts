import { measuredChat, transports } from './support/measured-client.ts';
import { wordsFor } from './support/payment-script.ts';
import { startWorker } from './support/worker-process.ts';

/** One stage of an answer. Milliseconds of the server's main thread per answer, with the wait for the disk. */
export type AnswerStage = { readonly stage: string; readonly ms: number; readonly share: number };

/** Each file belongs to the first stage whose pattern it matches. */
const stages: readonly (readonly [stage: string, files: RegExp])[] = [
  ['commit: write pages, fsync', /^lib\/stores\/sqlite\/transaction/],
  ['statements: read and append', /^lib\/stores\//],
  ['wake readers, read events', /^lib\/(log\/follow|views\/reader)\//],
  ['stage and fold events', /^lib\/log\//],
  ['project to chunks', /^lib\/views\//],
  ['model step', /^(lib\/run\/(step|prompt|callbacks|telemetry)\/|ai\/|@ai-sdk\/|zod\/)/],
  ['decide, run the call', /^lib\/run\//],
  ['check the answer', /^lib\/(commands|flow)\//],
  ['rights', /^lib\/rights\//],
  ['write the response', /^(lib\/server\/event-stream\/|writev$|writeUtf8String$)/],
  ['parse, identify, route', /^lib\/(server|sse|testing)\//],
  ['garbage collection', /^\(garbage collector\)$/],
];

/** Chats that are open at the same time: all of them are cached. */
const openChats = 40;

/**
 * Where the time of an answer goes: answers over SSE to a server on SQLite, without plugins, one after the other.
 *
 * @param rounds of 80 answers. The first is not counted
 */
export async function answerStages(rounds: number): Promise<AnswerStage[]> {
  const worker = startWorker('workers/countersign-server.ts');
  const client = transports.sse(await worker.ask<string>('open'));
  const times = new Map<string, number>();
  for (let round = 0; round <= rounds; round += 1) {
    const chats = await Promise.all(Array.from({ length: openChats }, () => asked(client)));
    await worker.ask('startProfile');
    for (let answer = 0; answer < 2; answer += 1) for (const chat of chats) await chat.approve();
    const files = await worker.ask<Record<string, number>>('stopProfile');
    if (round === 0) continue;
    for (const [file, ms] of Object.entries(files)) {
      const [stage] = stages.find(([, pattern]) => pattern.test(file)) ?? ['Node: HTTP, streams, promises'];
      times.set(stage, (times.get(stage) ?? 0) + ms / (rounds * openChats * 2));
    }
  }
  client.close();
  await worker.stop();
  const all = [...times.values()].reduce((sum, ms) => sum + ms, 0);
  return [...times]
    .map(([stage, ms]) => ({ stage, ms, share: Math.round((ms / all) * 100) }))
    .toSorted((one, other) => other.ms - one.ms);
}

async function asked(client: ReturnType<typeof transports.sse>) {
  const id = crypto.randomUUID();
  const chat = measuredChat(client, id, []);
  await chat.say(wordsFor('chain', id));
  return chat;
}
