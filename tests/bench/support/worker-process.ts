// depends on: tests/bench
import { type ChildProcess, fork } from 'node:child_process';

type Reply = { readonly id: number; readonly value?: unknown; readonly error?: string };

/** `npm run bench -- profile`: each worker leaves a profile of its CPU, for any viewer of flame graphs. */
const profiling = process.argv.includes('profile')
  ? ['--cpu-prof', '--cpu-prof-dir=bench-results/profiles']
  : [];

/** Otherwise V8 drops megabytes of compiled code after some collections, at a time that differs. */
const gcFlags = ['--expose-gc', '--no-flush-bytecode'];

/** A process of the bench, and how to ask it to do something. */
export type WorkerProcess = {
  /** @returns what the worker's function gave; its errors reject */
  ask<Result>(name: string, ...values: readonly unknown[]): Promise<Result>;
  stop(): Promise<void>;
};

/** What a worker can be asked for, by name. */
export type Offers = Readonly<Record<string, (...values: never[]) => unknown>>;

/**
 * Starts a module of this folder in a process of its own: what is measured there shares neither a heap nor a thread
 * with anybody.
 *
 * @param module beside `tests/bench/`; it calls `offer`
 */
export function startWorker(module: string, { exposeGc = false } = {}): WorkerProcess {
  const child = fork(new URL(`../${module}`, import.meta.url), {
    execArgv: ['-C', 'countersign-source', ...(exposeGc ? gcFlags : []), ...profiling],
    serialization: 'advanced',
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let count = 0;
  child.on('message', ({ id, value, error }: Reply) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(value);
    else asked?.reject(new Error(`${module}: ${error}`));
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void gone.then(() => {
    for (const { reject } of waiting.values()) reject(new Error(`${module} ended by itself.`));
    waiting.clear();
  });
  return {
    ask<Result>(name: string, ...values: readonly unknown[]) {
      const asked = Promise.withResolvers<unknown>();
      const id = ++count;
      waiting.set(id, asked);
      child.send({ id, name, values });
      // What a worker says is typed by whoever asks: both are files of this folder.
      return asked.promise as Promise<Result>;
    },
    async stop() {
      disconnect(child);
      await gone;
    },
  };
}

/** The worker's half. It ends with its parent. */
export function offer(offers: Offers): void {
  process.on('message', async ({ id, name, values }: { id: number; name: string; values: never[] }) => {
    try {
      process.send?.({ id, value: await offers[name]?.(...values) });
    } catch (error) {
      process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
  process.once('disconnect', () => process.exit());
}

function disconnect(child: ChildProcess): void {
  if (child.connected) child.disconnect();
}
