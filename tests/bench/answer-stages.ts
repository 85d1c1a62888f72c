import { measuredChat, transports } from './support/measured-client.ts';
import { wordsFor } from './support/payment-script.ts';
import type { FoldedStacks } from './support/profile-process.ts';
import { startWorker } from './support/worker-process.ts';

/** One stage of an answer. Milliseconds of the server's main thread per answer, with the wait for the disk. */
export type AnswerStage = { readonly stage: string; readonly ms: number; readonly share: number };

/** Where the time of an answer goes. */
export type AnswerProfile = {
  readonly stages: readonly AnswerStage[];
  /** Milliseconds of an answer. The first frame is the stage, the second the file that was at work. */
  readonly stacks: FoldedStacks;
};

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

/** Files whose time is their caller's: they serve all stages. */
const shared = /^lib\/(protocol|runtime|settings)\//;

/** Chats that are open at the same time: all of them are cached. */
const openChats = 40;

/** Stacks with less are left out: milliseconds of an answer. */
const leastMs = 0.002;

/** Of a stack, from the file that was at work. */
const mostFrames = 8;

/**
 * Profiles answers over SSE to a server on SQLite, without plugins, one after the other.
 *
 * @param rounds of 80 answers. The first is not counted
 */
export async function profileAnswers(rounds: number): Promise<AnswerProfile> {
  const worker = startWorker('workers/countersign-server.ts');
  const client = transports.sse(await worker.ask<string>('open'));
  const times = new Map<string, number>();
  for (let round = 0; round <= rounds; round += 1) {
    const chats = await Promise.all(Array.from({ length: openChats }, () => asked(client)));
    await worker.ask('startProfile');
    for (let answer = 0; answer < 2; answer += 1) for (const chat of chats) await chat.approve();
    const stacks = await worker.ask<FoldedStacks>('stopProfile');
    if (round === 0) continue;
    for (const [stack, ms] of Object.entries(stacks)) {
      const staged = stagedStack(stack);
      times.set(staged, (times.get(staged) ?? 0) + ms / (rounds * openChats * 2));
    }
  }
  client.close();
  await worker.stop();
  return {
    stages: stagesOf(times),
    stacks: Object.fromEntries([...times].filter(([, ms]) => ms >= leastMs)),
  };
}

/** Its stage, the file that was at work or had called what was, and what it called. */
function stagedStack(stack: string): string {
  const frames = stack.split(';');
  const files = frames.map((frame) => frame.split(' in ').at(-1) ?? frame);
  const working = files.findLastIndex((file) => file.startsWith('lib/') && !shared.test(file));
  const from = working === -1 ? frames.length - 1 : working;
  const file = files[from] ?? '';
  const [stage] = stages.find(([, pattern]) => pattern.test(file)) ?? ['Node: HTTP, streams, promises'];
  return [stage, file, ...frames.slice(from, from + mostFrames)].join(';');
}

function stagesOf(times: ReadonlyMap<string, number>): AnswerStage[] {
  const byStage = new Map<string, number>();
  for (const [stack, ms] of times) {
    const stage = stack.slice(0, stack.indexOf(';'));
    byStage.set(stage, (byStage.get(stage) ?? 0) + ms);
  }
  const all = [...byStage.values()].reduce((sum, ms) => sum + ms, 0);
  return [...byStage]
    .map(([stage, ms]) => ({ stage, ms, share: Math.round((ms / all) * 100) }))
    .toSorted((one, other) => other.ms - one.ms);
}

async function asked(client: ReturnType<typeof transports.sse>) {
  const id = crypto.randomUUID();
  const chat = measuredChat(client, id, []);
  await chat.say(wordsFor('chain', id));
  return chat;
}
