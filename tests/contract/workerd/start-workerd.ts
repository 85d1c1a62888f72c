// depends on: only its imports
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The program of the package, which needs none of its install scripts. */
const { default: program }: { default: string } = createRequire(import.meta.url)('workerd');

/** Compatibility dates: workerd offers modules of Node from some time in 2026 on, and none before. */
export const dates = { withoutNode: '2025-11-01', withNode: '2026-10-01' };

const configFor = (date: string) => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.js", esModule = embed "worker.js")],
    compatibilityDate = "${date}",
    durableObjectNamespaces = [(className = "Chat", uniqueKey = "chat")],
    durableObjectStorage = (inMemory = void),
    bindings = [(name = "chats", durableObjectNamespace = "Chat")],
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;

/**
 * Serves a bundled Worker on a free port.
 *
 * @param compatibilityDate without compatibility flags
 * @throws Error with what workerd printed, when it does not begin to listen
 */
export async function startWorkerd(
  code: string,
  compatibilityDate: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-workerd-'));
  await writeFile(join(folder, 'worker.js'), code);
  await writeFile(join(folder, 'config.capnp'), configFor(compatibilityDate));
  const child = spawn(program, ['serve', 'config.capnp', '--control-fd=3'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text) => {
      printed += text;
    });
  }
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true });
  };
  const control = child.stdio[3];
  if (!control || !('read' in control)) throw new Error('workerd has no control stream.');
  for await (const line of createInterface({ input: control as NodeJS.ReadableStream })) {
    const { port }: { port?: number } = JSON.parse(line);
    if (port) return { url: `http://127.0.0.1:${port}`, stop };
  }
  await stop();
  throw new Error(`workerd did not begin to listen.\n${printed}`);
}
