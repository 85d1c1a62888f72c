import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { formatKillPoint, type KillPoint } from 'countersign/testing';
import type { Database } from './databases.ts';

/** The settings of a server process. */
export type ServerProcessSettings = {
  readonly database: Database;
  /** The file in which tools record their effects. */
  readonly effects: string;
  readonly kill?: KillPoint;
  /** How far its clock is ahead, in milliseconds. It simulates a restart after a lease has ended. */
  readonly clockAheadMs?: number;
  /** Whether the prompts in `lingering.ts` never finish. */
  readonly lingers?: boolean;
  /** Whether payments need two approvals, and are escalated, as in `voting-rules.ts`. */
  readonly votes?: boolean;
};

/** A server in its own process. */
export type ServerProcess = {
  readonly url: string;
  /** Resolves when the process has exited for any reason. */
  readonly exited: Promise<{ readonly signal: NodeJS.Signals | null; readonly code: number | null }>;
  /** Its standard error output. */
  output(): string;
  /** Its resident memory in bytes, after garbage collection. */
  memory(): Promise<number>;
  /** Ends it with SIGKILL, and resolves when it has exited. */
  kill(): Promise<void>;
  /** Ends it like a deployment, and resolves when it has exited. */
  end(): Promise<void>;
};

const script = fileURLToPath(new URL('./serve-child.ts', import.meta.url));

/**
 * Starts `serve-child.ts` and waits until it listens.
 *
 * @throws Error with the output of the process if it exits before that
 */
export async function startServer(settings: ServerProcessSettings): Promise<ServerProcess> {
  const { database, effects, kill, clockAheadMs = 0, lingers = false, votes = false } = settings;
  const child = fork(script, [], {
    // With a small young generation and explicit garbage collection, resident memory shows what is in use.
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
      ...(votes && { FAULTS_VOTES: 'yes' }),
      ...(kill && { FAULTS_KILL: formatKillPoint(kill) }),
    },
  });
  let output = '';
  child.stderr?.on('data', (data: Buffer) => {
    output += data.toString();
  });
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  const url = await Promise.race([
    answerOf(child, 'url').then(String),
    exited.then(({ code, signal }) => {
      throw new Error(`The server process ended (${signal ?? code}) before it listened:\n${output}`);
    }),
  ]);
  return {
    url,
    exited,
    output: () => output,
    async memory() {
      const answer = answerOf(child, 'rss');
      child.send('memory');
      return Number(await answer);
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async end() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** The next message of the process with this field. */
async function answerOf(child: ChildProcess, field: string): Promise<unknown> {
  for (;;) {
    const [message] = await once(child, 'message');
    if (Object.hasOwn(message, field)) return message[field];
  }
}
