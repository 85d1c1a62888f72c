import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { rootUrl } from '../../support/patches/patch.ts';
import type { SuiteRequest, SuiteRun } from './suite-run.ts';

const worker = fileURLToPath(new URL('worker.ts', import.meta.url));
const running = new Set<ChildProcess>();

// A worker has processes of its own, so it leads a process group, which Ctrl-C does not reach.
process.on('exit', () => {
  for (const child of running) killGroup(child);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

/** Runs one test file at a time, in a process that is started again after a run that takes too long. */
export class SuiteRunner {
  #child: ChildProcess | undefined;

  /** @returns `undefined` if the file takes longer than the limit, in milliseconds */
  async run(request: SuiteRequest, limitMs: number): Promise<SuiteRun | undefined> {
    const child = this.#child ?? start();
    this.#child = child;
    const { promise, resolve, reject } = Promise.withResolvers<SuiteRun | undefined>();
    const ended = () => reject(new Error(`The worker ended while it ran ${request.file}.`));
    const limit = setTimeout(() => resolve(undefined), limitMs);
    child.once('message', resolve).once('exit', ended);
    child.send(request);
    try {
      const result = await promise;
      if (!result) this.close();
      return result;
    } finally {
      clearTimeout(limit);
      child.off('message', resolve).off('exit', ended);
    }
  }

  close(): void {
    if (this.#child) killGroup(this.#child);
    this.#child = undefined;
  }
}

function start(): ChildProcess {
  const child = fork(worker, {
    cwd: fileURLToPath(rootUrl),
    detached: true,
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'test', NO_COLOR: '1' },
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
