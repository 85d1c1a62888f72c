import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { formatKillPoint, type KillPoint } from 'countersign/testing';
import type { Database } from './databases.ts';

/** What a server process is started with. */
export type ServerProcessSettings = {
  readonly database: Database;
  /** The file in which tools leave their effects. */
  readonly effects: string;
  readonly kill?: KillPoint;
  /** How far its clock is ahead, in milliseconds: a restart after a lease has ended, without waiting for it. */
  readonly clockAheadMs?: number;
  /** Whether it never comes to the end of what is said in `lingering.ts`. */
  readonly lingers?: boolean;
};

/** A server in a process of its own. */
export type ServerProcess = {
  readonly url: string;
  /** Resolves when the process is gone, however that came. */
  readonly gone: Promise<{ readonly signal: NodeJS.Signals | null; readonly code: number | null }>;
  /** What it has written to its standard error. */
  said(): string;
  /** Its resident memory in bytes, after collecting garbage. */
  memory(): Promise<number>;
  /** Ends it by SIGKILL, and resolves when it is gone. */
  kill(): Promise<void>;
  /** Asks it to end, as a deployment does, and resolves when it is gone. */
  end(): Promise<void>;
};

const script = fileURLToPath(new URL('./serve-child.ts', import.meta.url));

/**
 * Starts `serve-child.ts` and waits until it listens.
 *
 * @throws Error with what the process wrote, when it ends before
 */
export async function startServer(settings: ServerProcessSettings): Promise<ServerProcess> {
  const { database, effects, kill, clockAheadMs = 0, lingers = false } = settings;
  const child = fork(script, [], {
    // A small young generation and collecting on demand: resident memory then tells what is held, not what is lazy.
    execArgv: ['--conditions=countersign-source', '--expose-gc', '--max-semi-space-size=4'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {
      NODE_ENV: 'test',
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...database.address,
      FAULTS_EFFECTS: effects,
      FAULTS_CLOCK_AHEAD: String(clockAheadMs),
      ...(lingers && { FAULTS_LINGERS: 'yes' }),
      ...(kill && { FAULTS_KILL: formatKillPoint(kill) }),
    },
  });
  let said = '';
  child.stderr?.on('data', (data: Buffer) => {
    said += data.toString();
  });
  const gone = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  const url = await Promise.race([
    answerOf(child, 'url').then(String),
    gone.then(({ code, signal }) => {
      throw new Error(`The server process ended (${signal ?? code}) before it listened:\n${said}`);
    }),
  ]);
  return {
    url,
    gone,
    said: () => said,
    async memory() {
      const answer = answerOf(child, 'rss');
      child.send('memory');
      return Number(await answer);
    },
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
    async end() {
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** The next message of the process that holds this field. */
async function answerOf(child: ChildProcess, field: string): Promise<unknown> {
  for (;;) {
    const [message] = await once(child, 'message');
    if (Object.hasOwn(message, field)) return message[field];
  }
}
