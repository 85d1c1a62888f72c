// depends on: server.ts proxy.ts next.config.ts app/_server
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const root = resolve(import.meta.dirname, '../../..');

/** A running server of the built app with its own data folder. */
export type ServedApp = {
  /** Such as `http://127.0.0.1:41234`. */
  readonly url: string;
  /** Stops the server and deletes its data. */
  readonly stop: () => Promise<void>;
  /** Ends the process without notice, and keeps its data. */
  readonly kill: () => Promise<void>;
  /** Starts a new process with the same data, at another address. @returns that address */
  readonly restart: () => Promise<string>;
};

/**
 * Serves the production build on a free loopback port, with an empty data folder and the scripted model. The app must
 * be built already.
 *
 * @param environment additional variables, such as `COUNTERSIGN_DEMO_DELAY_MS`
 * @throws Error with the output of the server if it exits before it is ready
 */
export async function serveApp(environment: Readonly<Record<string, string>> = {}): Promise<ServedApp> {
  const data = await mkdtemp(join(tmpdir(), 'countersign-browser-'));
  const start = () => startServer({ COUNTERSIGN_DATA: data, ...environment });
  let server = start();
  const end = async (signal: NodeJS.Signals) => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    await once(server, 'exit');
  };
  return {
    url: await urlOf(server),
    kill: () => end('SIGKILL'),
    restart: async () => {
      await end('SIGKILL');
      server = start();
      return urlOf(server);
    },
    stop: async () => {
      await end('SIGTERM');
      await rm(data, { recursive: true, force: true });
    },
  };
}

function startServer(environment: Readonly<Record<string, string>>): ChildProcess {
  const { OPENAI_API_KEY: _, ...inherited } = process.env;
  return spawn(process.execPath, ['-C', 'countersign-source', 'server.ts'], {
    cwd: root,
    env: {
      ...inherited,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: '0',
      NEXT_TELEMETRY_DISABLED: '1',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Reads the URL from the line that the server prints when it is ready. */
async function urlOf(server: ChildProcess): Promise<string> {
  if (server.stdout === null) throw new Error('The server has no output to read its address from.');
  const address = Promise.withResolvers<string>();
  const printed: string[] = [];
  createInterface({ input: server.stdout }).on('line', (line) => {
    printed.push(line);
    const url = /ready on (http:\S+)/.exec(line)?.[1];
    if (url !== undefined) address.resolve(url);
  });
  server.once('exit', () =>
    address.reject(new Error(`The server ended before it was ready:\n${printed.join('\n')}`)),
  );
  return await address.promise;
}
