// depends on: only its imports
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { plainEnvironment, type RunOptions } from './run.ts';

/** A server in a process of its own. */
export type Program = {
  /**
   * The address it printed, with a loopback host, such as `http://127.0.0.1:41234`. Rejects with all that it printed, when it
   * ends before it names one.
   */
  readonly url: Promise<string>;
  /** Ends it and all that it has started, and resolves when it has exited. */
  readonly stop: () => Promise<void>;
};

/** Starts a server by its command line. The caller stops it. */
export function startProgram(command: string, { cwd, env }: RunOptions): Program {
  const child = spawn('sh', ['-c', `exec 2>&1; ${command}`], {
    cwd,
    env: plainEnvironment(env),
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const gone = once(child, 'exit');
  const stop = async () => {
    // The whole group: a shell and npx stand between.
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (child.pid !== undefined && !hasEnded) process.kill(-child.pid, 'SIGKILL');
    await gone;
  };
  const printed: string[] = [];
  const address = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    printed.push(line);
    const port = /https?:[/][/](?:127[.]0[.]0[.]1|localhost):(\d+)/.exec(line)?.[1];
    if (port !== undefined) address.resolve(`http://127.0.0.1:${port}`);
  });
  const ended = gone.then(() => {
    throw new Error(`${command} ended before it named an address:\n${printed.join('\n')}`);
  });
  return { url: Promise.race([address.promise, ended]), stop };
}
