import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '../..');

/** How a process ended. */
type End = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** The reference app in production, in a process of its own. */
export type AppServer = {
  /** Such as `http://127.0.0.1:41234`. */
  readonly url: string;
  /** Resolves when the process is gone, however that came. */
  readonly gone: Promise<End>;
  /** What it has printed, oldest line first. */
  said(): string;
  /** Ends it by SIGKILL, and resolves when it is gone. */
  kill(): Promise<void>;
  /** Asks it to end by SIGTERM. Gives how it ended, and after how many milliseconds. */
  stop(): Promise<End & { readonly ms: number }>;
};

/** Builds the app, unless its sources are those of the last build. @throws Error with what the build printed */
export async function buildAppOnce(): Promise<void> {
  await promisify(execFile)(process.execPath, ['scripts/build.mjs'], { cwd: root, maxBuffer: 64_000_000 });
}

/**
 * Serves the production build on a free port of the loopback interface, with the scripted model.
 *
 * @param environment what else it is configured with; name a `COUNTERSIGN_DATA` folder at least
 * @throws Error with what the process printed, when it ends before it is ready
 */
export async function startAppServer(environment: Readonly<Record<string, string>>): Promise<AppServer> {
  const { OPENAI_API_KEY: _, ...inherited } = process.env;
  const child = spawn(process.execPath, ['-C', 'countersign-source', 'server.ts'], {
    cwd: root,
    env: {
      ...inherited,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: '0',
      NEXT_TELEMETRY_DISABLED: '1',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed: string[] = [];
  const gone = once(child, 'exit').then(([code, signal]): End => ({ code, signal }));
  return {
    url: await addressOf(child, printed),
    gone,
    said: () => printed.join('\n'),
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
    async stop() {
      const start = performance.now();
      child.kill('SIGTERM');
      const end = await gone;
      return { ...end, ms: Math.round(performance.now() - start) };
    },
  };
}

/** Reads the address from the line that the server prints once it is ready, and keeps all lines. */
async function addressOf(child: ChildProcess, printed: string[]): Promise<string> {
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('The server has no output to read its address from.');
  const address = Promise.withResolvers<string>();
  createInterface({ input: stderr }).on('line', (line) => printed.push(line));
  createInterface({ input: stdout }).on('line', (line) => {
    printed.push(line);
    const url = /ready on (http:\S+)/.exec(line)?.[1];
    if (url !== undefined) address.resolve(url);
  });
  child.once('exit', () =>
    address.reject(new Error(`The server ended before it was ready:\n${printed.join('\n')}`)),
  );
  return address.promise;
}
