import { median } from './support/distribution.ts';
import { inTurns } from './support/in-turns.ts';
import { type RawResponse, rawPost, rawSocket } from './support/raw-response.ts';
import { startWorker, type WorkerProcess } from './support/worker-process.ts';

/** One row of the table: medians of the rounds. */
export type StreamCost = {
  readonly contestant: string;
  readonly deltas: number;
  readonly deltasPerSecond: number;
  /** From the request to the first text that a page can show, in milliseconds. */
  readonly toFirstDelta: number;
  readonly receivedBytes: number;
  /** The most that the server's heap grew by, garbage included. */
  readonly heapPeakBytes: number;
};

type Entrant = {
  readonly name: string;
  readonly worker: WorkerProcess;
  readonly read: (chatId: string, message: object) => Promise<RawResponse>;
  readonly rounds: (RawResponse & { readonly heapPeak: number })[];
};

/**
 * One long answer, from the model's deltas to the last byte at a client that reads and does nothing else. Ours goes
 * through flow, store and transport, and becomes durable; the other is a bare `streamText` response.
 */
export async function streamCost(options: {
  readonly deltas: number;
  readonly rounds: number;
}): Promise<StreamCost[]> {
  const { deltas, rounds } = options;
  const ours = startWorker('workers/countersign-server.ts', { exposeGc: true });
  const bare = startWorker('workers/plain-server.ts', { exposeGc: true });
  const [onOurs, onBare] = await Promise.all([ours.ask<string>('open'), bare.ask<string>('open')]);
  const socket = await rawSocket(`${onOurs}/api/chat/socket`);
  const entrants: Entrant[] = [
    {
      name: 'Countersign SSE',
      worker: ours,
      read: (id, message) => rawPost(onOurs, { id, trigger: 'submit-message', message }, '"data-draft"'),
      rounds: [],
    },
    {
      name: 'Countersign BIDI',
      worker: ours,
      read: (id, message) => socket.send(id, message, '"data-draft"'),
      rounds: [],
    },
    {
      name: 'bare streamText',
      worker: bare,
      read: (id, message) => rawPost(onBare, { id, messages: [message] }, '"text-delta"'),
      rounds: [],
    },
  ];
  for (const each of inTurns(entrants, rounds + 1)) {
    const id = crypto.randomUUID();
    const message = { id, role: 'user', parts: [{ type: 'text', text: `stream ${deltas}` }] };
    await each.worker.ask('watchHeap');
    const response = await each.read(id, message);
    each.rounds.push({ ...response, heapPeak: await each.worker.ask<number>('heapPeak') });
  }
  socket.close();
  await Promise.all([ours.stop(), bare.stop()]);
  return entrants.map(({ name, rounds: [, ...measured] }) => ({
    ...{ contestant: name, deltas },
    deltasPerSecond: Math.round((deltas * 1_000) / median(measured.map(({ last }) => last))),
    toFirstDelta: median(measured.map(({ marked }) => marked)),
    receivedBytes: median(measured.map(({ bytes }) => bytes)),
    heapPeakBytes: median(measured.map(({ heapPeak }) => heapPeak)),
  }));
}
