import { distributionOf, median } from './support/distribution.ts';
import { inTurns } from './support/in-turns.ts';
import { startWorker } from './support/worker-process.ts';

/** What open questions hold while nobody is connected. */
export type WaitingQuestions = {
  readonly questions: number;
  readonly heapBytesEach: number;
  /** CPU used in a second of waiting, in milliseconds. */
  readonly idleCpuMsPerSecond: number;
  /** The inbox's first page, from another instance, median in milliseconds. */
  readonly listInboxMs: number;
};

/** What sockets hold that say nothing: of ours, and of `ws` alone. */
export type WaitingSockets = {
  readonly server: 'Countersign BIDI' | 'bare ws';
  readonly sockets: number;
  readonly rssBytesEach: number;
  readonly heapBytesEach: number;
  readonly idleCpuMsPerSecond: number;
};

type Heap = { readonly heap: number; readonly rss: number };

/** Caches are full, and code is compiled. */
const warmUp = { questions: 2_000, sockets: 100 };

/**
 * @param options.counts ascending; the growth from the warm-up to each is divided by the questions it came with
 * @param options.rounds each with a new process; the medians are kept
 */
export async function waitingQuestions(options: {
  readonly counts: readonly number[];
  readonly idleMs: number;
  readonly rounds: number;
}): Promise<WaitingQuestions[]> {
  const measured: WaitingQuestions[][] = [];
  for (let round = 0; round < options.rounds; round += 1) measured.push(await questionsOf(options));
  return options.counts.map((questions, index) => {
    const medianOf = (what: keyof WaitingQuestions) =>
      median(measured.flatMap((rows) => rows[index]?.[what] ?? []));
    return {
      questions,
      heapBytesEach: medianOf('heapBytesEach'),
      idleCpuMsPerSecond: medianOf('idleCpuMsPerSecond'),
      listInboxMs: medianOf('listInboxMs'),
    };
  });
}

async function questionsOf({
  counts,
  idleMs,
}: {
  readonly counts: readonly number[];
  readonly idleMs: number;
}): Promise<WaitingQuestions[]> {
  const worker = startWorker('workers/waiting.ts', { exposeGc: true });
  await worker.ask('ask', warmUp.questions);
  const before = await worker.ask<Heap>('heap');
  const rows: WaitingQuestions[] = [];
  let asked = 0;
  for (const questions of counts) {
    await worker.ask('ask', questions - asked);
    asked = questions;
    const after = await worker.ask<Heap>('heap');
    rows.push({
      questions,
      heapBytesEach: Math.round((after.heap - before.heap) / questions),
      idleCpuMsPerSecond: ((await worker.ask<number>('idleCpu', idleMs)) * 1_000) / idleMs,
      listInboxMs: distributionOf(await worker.ask<number[]>('listInbox', 50)).median,
    });
  }
  await worker.ask('close');
  await worker.stop();
  return rows;
}

/**
 * @param options.counts sockets that are open at the same time
 * @param options.rounds each with new processes; the medians are kept
 */
export async function waitingSockets(options: {
  readonly counts: readonly number[];
  readonly idleMs: number;
  readonly rounds: number;
}): Promise<WaitingSockets[]> {
  const measured: WaitingSockets[] = [];
  for (const server of inTurns(socketServers, options.rounds)) {
    measured.push(...(await socketsOf(server, options)));
  }
  return socketServers.flatMap(({ name }) =>
    options.counts.map((sockets) => {
      const rows = measured.filter((row) => row.server === name && row.sockets === sockets);
      return {
        ...{ server: name, sockets },
        rssBytesEach: median(rows.map(({ rssBytesEach }) => rssBytesEach)),
        heapBytesEach: median(rows.map(({ heapBytesEach }) => heapBytesEach)),
        idleCpuMsPerSecond: median(rows.map(({ idleCpuMsPerSecond }) => idleCpuMsPerSecond)),
      };
    }),
  );
}

const socketServers = [
  { name: 'Countersign BIDI', module: 'workers/countersign-server.ts', path: '/api/chat/socket' },
  { name: 'bare ws', module: 'workers/bare-server.ts', path: '' },
] as const;

async function socketsOf(
  { name, module, path }: (typeof socketServers)[number],
  { counts, idleMs }: { readonly counts: readonly number[]; readonly idleMs: number },
): Promise<WaitingSockets[]> {
  const server = startWorker(module, { exposeGc: true });
  const crowd = startWorker('workers/socket-crowd.ts');
  const url = `${(await server.ask<string>('open')).replace('http:', 'ws:')}${path}`;
  await crowd.ask('connect', url, warmUp.sockets);
  const before = await server.ask<Heap>('heap');
  const rows: WaitingSockets[] = [];
  for (const sockets of counts) {
    await crowd.ask('connect', url, sockets + warmUp.sockets);
    const after = await server.ask<Heap>('heap');
    rows.push({
      ...{ server: name, sockets },
      rssBytesEach: Math.round((after.rss - before.rss) / sockets),
      heapBytesEach: Math.round((after.heap - before.heap) / sockets),
      idleCpuMsPerSecond: ((await server.ask<number>('idleCpu', idleMs)) * 1_000) / idleMs,
    });
  }
  await crowd.ask('leave');
  await Promise.all([crowd.stop(), server.stop()]);
  return rows;
}
