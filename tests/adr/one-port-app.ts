import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const root = resolve(import.meta.dirname, '../..');

/** The smallest app that `server.ts` can serve: a page, a route, and a flow of its own behind the socket. */
const files: Readonly<Record<string, string>> = {
  'next.config.mjs': `
    export default {
      turbopack: { root: ${JSON.stringify(root)} },
      allowedDevOrigins: ['127.0.0.1'],
      typescript: { ignoreBuildErrors: true },
      agentRules: false,
      experimental: { agentUpgrade: false },
    };`,
  'app/layout.jsx': `
    export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }`,
  'app/page.jsx': `
    export default function Page() { return <h1>One port</h1>; }`,
  'app/_server/opened.js': `
    export const opened = { count: 0 };`,
  'app/_server/compressed-files.ts': readFileSync(join(root, 'app/_server/compressed-files.ts'), 'utf8'),
  'app/_server/edge.ts': `
    import { createApprovalFlow } from 'countersign';
    import { createBidiServer } from 'countersign/bidi/server';
    import { sqliteStore } from 'countersign/store';
    import { scriptedModel } from 'countersign/testing';
    import { opened } from './opened.js';
    const model = scriptedModel(() => [{ text: 'Hello.' }]);
    const flow = createApprovalFlow({ model, store: sqliteStore({ path: ':memory:' }) });
    const ada = { id: 'ada', name: 'Ada' };
    const bidi = createBidiServer(flow, { authorize: () => ada });
    globalThis[Symbol.for('one-port')] = { flow, ada };
    export async function open() { opened.count += 1; }
    export async function stampPeer() {}
    export const authorize = () => ada;
    export async function handleUpgrade(request, socket, head) {
      if (request.url !== '/api/chat/socket') return 'unknown';
      await bidi.handleUpgrade(request, socket, head);
      return 'taken';
    }
    export async function close() {
      await bidi.close();
      await flow.close();
      console.log('The flow is closed.');
    }`,
  'app/api/chat/[chatId]/route.js': `
    export const dynamic = 'force-dynamic';
    export const GET = () => Response.json({});`,
  'app/api/chats/route.js': `
    import { opened } from '../../_server/opened.js';
    export const dynamic = 'force-dynamic';
    export async function GET() {
      const { flow, ada } = globalThis[Symbol.for('one-port')];
      const { items } = await flow.chats.list({ principal: ada });
      return Response.json({ pid: process.pid, opened: opened.count, chats: items.map(({ id }) => id) });
    }`,
};

/** An app that a separate process serves. */
export type OnePortApp = {
  readonly url: string;
  readonly pid: number | undefined;
  /** Sends SIGTERM once and waits. Returns the exit code and the output. */
  stop(): Promise<{ code: number | null; printed: readonly string[] }>;
};

/**
 * Serves the smallest app with this project's own `server.ts`, in development mode, on a free port.
 *
 * @param change what is different in `server.ts`: the rejected option
 */
export async function serveOnePortApp(
  change: (source: string) => string = (source) => source,
): Promise<OnePortApp> {
  // Within the project, so that packages are found, in a folder that git ignores.
  const home = join(root, '.countersign');
  mkdirSync(home, { recursive: true });
  const folder = mkdtempSync(join(home, 'adr-0006-'));
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), source);
  }
  writeFileSync(join(folder, 'server.ts'), change(readFileSync(join(root, 'server.ts'), 'utf8')));

  const child = spawn(process.execPath, ['-C', 'countersign-source', 'server.ts'], {
    cwd: folder,
    env: {
      ...process.env,
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      PORT: '0',
      NEXT_TELEMETRY_DISABLED: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed: string[] = [];
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const url = await urlOf(child, printed).catch((error: unknown) => {
    remove();
    throw error;
  });
  return {
    url,
    pid: child.pid,
    async stop() {
      if (child.exitCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      remove();
      return { code: child.exitCode, printed };
    },
  };
}

async function urlOf(child: ChildProcess, printed: string[]): Promise<string> {
  if (!child.stdout || !child.stderr) throw new Error('The server has no output to read its address from.');
  const address = Promise.withResolvers<string>();
  createInterface({ input: child.stderr }).on('line', (line) => printed.push(line));
  createInterface({ input: child.stdout }).on('line', (line) => {
    printed.push(line);
    const url = /ready on (http:\S+)/.exec(line)?.[1];
    if (url !== undefined) address.resolve(url);
  });
  child.once('exit', () => address.reject(new Error(`The server ended too early:\n${printed.join('\n')}`)));
  return address.promise;
}
