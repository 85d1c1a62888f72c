import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build, type Plugin } from 'vite';

/** The program of the package, which needs none of its install scripts. */
const { default: program }: { default: string } = createRequire(import.meta.url)('workerd');

/** @param flags with none, there is no module of Node */
const configFor = (flags: readonly string[]) => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.js", esModule = embed "worker.js")],
    compatibilityDate = "2026-10-01",
    compatibilityFlags = ${JSON.stringify(flags)},
    durableObjectNamespaces = [(className = "Chat", uniqueKey = "chat")],
    durableObjectStorage = (inMemory = void),
    bindings = [(name = "chats", durableObjectNamespace = "Chat")],
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;

/** Vite would replace modules of Node by empty ones. Outside, they can be seen. */
const nodeStaysOutside: Plugin = {
  name: 'node-stays-outside',
  enforce: 'pre',
  resolveId: (id) => (isBuiltin(id) ? { id, external: true } : undefined),
};

/**
 * Bundles a module as the tools of Cloudflare do: with what its packages offer for Workers.
 *
 * @param external packages that stay outside. Default: none
 */
export async function bundleWorker(path: string, external: readonly string[] = []): Promise<string> {
  const conditions = ['countersign-source', 'workerd', 'worker', 'browser', 'module'];
  const result = await build({
    configFile: false,
    plugins: [nodeStaysOutside],
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { conditions },
    build: {
      write: false,
      minify: false,
      target: 'es2024',
      lib: { entry: path, formats: ['es'], fileName: 'worker' },
      rolldownOptions: { external: [...external] },
    },
  });
  const chunks = [result].flat().flatMap((each) => ('output' in each ? each.output : []));
  return chunks.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('\n');
}

/**
 * Serves a bundled Worker on a free port.
 *
 * @throws Error with what workerd printed, when it does not begin to listen
 */
export async function startWorkerd(
  code: string,
  flags: readonly string[],
): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-workerd-'));
  await writeFile(join(folder, 'worker.js'), code);
  await writeFile(join(folder, 'config.capnp'), configFor(flags));
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
