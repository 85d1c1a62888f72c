import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { plainEnvironment, type RunOptions } from './run.ts';

/**
 * Starts a server by its command line, until the test has finished.
 *
 * @returns the address it printed, with a loopback host
 * @throws Error with all that it printed, when it ends before it names one
 */
export async function startProgram(command: string, { cwd, env }: RunOptions): Promise<{ url: string }> {
  const child = spawn('sh', ['-c', `exec 2>&1; ${command}`], {
    cwd,
    env: plainEnvironment(env),
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const gone = once(child, 'exit');
  onTestFinished(async () => {
    // The whole group: a shell and npx stand between.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await gone;
  });
  const printed: string[] = [];
  const address = Promise.withResolvers<{ url: string }>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    printed.push(line);
    const port = /https?:[/][/](?:127[.]0[.]0[.]1|localhost):(\d+)/.exec(line)?.[1];
    if (port !== undefined) address.resolve({ url: `http://127.0.0.1:${port}` });
  });
  const ended = gone.then(() => {
    throw new Error(`${command} ended before it named an address:\n${printed.join('\n')}`);
  });
  return Promise.race([address.promise, ended]);
}
