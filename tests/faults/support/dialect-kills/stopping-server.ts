import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { StoreAddress } from '../open-store.ts';
import type { Place } from './places.ts';

/** A server process that stops at a place of each turn that names it. */
export type StoppingServer = {
  readonly url: string;
  /** Resolves when so many turns have stopped. */
  stopped(turns: number): Promise<void>;
  /** Ends the process, and resolves when it has exited. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
};

const script = fileURLToPath(new URL('./serve-child.ts', import.meta.url));

/** Starts `serve-child.ts`. @throws Error with the output of the process if it exits before it listens */
export async function startStoppingServer(settings: {
  readonly address: StoreAddress;
  readonly place: Place;
  /** How far its clock is ahead, in milliseconds: later than a lease, a killed server's runs are taken over at once. */
  readonly clockAheadMs: number;
}): Promise<StoppingServer> {
  const child = fork(script, [], {
    execArgv: ['--conditions=countersign-source'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {
      NODE_ENV: 'test',
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...settings.address,
      FAULTS_CLOCK_AHEAD: String(settings.clockAheadMs),
      FAULTS_PLACE: settings.place,
    },
  });
  let output = '';
  let stops = 0;
  let look = () => {};
  const listening = Promise.withResolvers<string>();
  child.stderr?.on('data', (data: Buffer) => {
    output += data.toString();
  });
  child.on('message', (message: { url?: string; stopped?: Place }) => {
    if (message.url !== undefined) listening.resolve(message.url);
    if (message.stopped !== undefined) stops += 1;
    look();
  });
  const exited = once(child, 'exit').then(() => {
    listening.reject(new Error(`The server process ended before it listened:\n${output}`));
  });
  return {
    url: await listening.promise,
    stopped: (turns) =>
      new Promise((resolve) => {
        look = () => {
          if (stops >= turns) resolve();
        };
        look();
      }),
    async end(signal) {
      child.kill(signal);
      await exited;
    },
  };
}
