// depends on: app server.ts proxy.ts next.config.ts Dockerfile
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const root = resolve(import.meta.dirname, '../..');

/** How a process ended. */
type End = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** The reference app in production mode, in its own process. */
export type AppServer = {
  /** Such as `http://127.0.0.1:41234`. */
  readonly url: string;
  /** Resolves when the process has exited for any reason. */
  readonly exited: Promise<End>;
  /** Its output so far, oldest line first. */
  output(): string;
  /** Ends it with SIGKILL, and resolves when it has exited. */
  kill(): Promise<void>;
  /** Ends it with SIGTERM. Returns how it exited, and after how many milliseconds. */
  stop(): Promise<End & { readonly ms: number }>;
};

/**
 * Serves the production build on a free loopback port, with the scripted model. The app must be built
 * (`prepared.ts`).
 *
 * @param environment additional variables; at least a `COUNTERSIGN_DATA` folder
 * @throws Error with the output of the process if it exits before it is ready
 */
export async function startAppServer(environment: Readonly<Record<string, string>>): Promise<AppServer> {
  const { OPENAI_API_KEY: _, ...inherited } = process.env;
  const child = spawn(process.execPath, argumentsOfContainer(), {
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
  const exited = once(child, 'exit').then(([code, signal]): End => ({ code, signal }));
  return {
    url: await addressOf(child, printed),
    exited,
    output: () => printed.join('\n'),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      const start = performance.now();
      child.kill('SIGTERM');
      const end = await exited;
      return { ...end, ms: Math.round(performance.now() - start) };
    },
  };
}

/** What Node is started with in a container: the `Dockerfile`'s command is `["node", …]`. */
function argumentsOfContainer(): string[] {
  const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(readFileSync(resolve(root, 'Dockerfile'), 'utf8')) ?? [];
  const [program, ...given] = JSON.parse(command) as string[];
  if (program !== 'node') throw new Error('The command of the Dockerfile does not start Node.');
  return given;
}

/** Reads the URL from the line that the server prints when it is ready, and collects all lines. */
async function addressOf(child: ChildProcess, printed: string[]): Promise<string> {
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('The server has no output to read its URL from.');
  const address = Promise.withResolvers<string>();
  createInterface({ input: stderr }).on('line', (line) => printed.push(line));
  createInterface({ input: stdout }).on('line', (line) => {
    printed.push(line);
    const url = /ready on (http:\S+)/.exec(line)?.[1];
    if (url !== undefined) address.resolve(url);
  });
  child.once('exit', () =>
    address.reject(new Error(`The server exited before it was ready:\n${printed.join('\n')}`)),
  );
  return address.promise;
}
