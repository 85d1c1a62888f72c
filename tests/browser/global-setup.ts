import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

const root = resolve(import.meta.dirname, '../..');

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the built app answers, such as `http://127.0.0.1:41234`: `inject('appUrl')`. */
    appUrl: string;
  }
}

/**
 * Builds the app if its sources changed, serves it on a free port with an empty data folder and the scripted
 * model, and tells the tests where.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  await promisify(execFile)(process.execPath, ['scripts/build.mjs'], { cwd: root, maxBuffer: 64_000_000 });
  const data = await mkdtemp(join(tmpdir(), 'countersign-browser-'));
  const { OPENAI_API_KEY: _, ...environment } = process.env;
  const server = spawn(process.execPath, ['-C', 'countersign-source', 'server.ts'], {
    cwd: root,
    env: {
      ...environment,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: '0',
      COUNTERSIGN_DATA: data,
      NEXT_TELEMETRY_DISABLED: '1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  project.provide('appUrl', await urlOf(server));
  return async () => {
    if (server.exitCode === null) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    await rm(data, { recursive: true, force: true });
  };
}

/** Reads the address from the line that the server prints once it is ready. */
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
