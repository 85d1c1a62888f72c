// depends on: .dependency-cruiser.cjs
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

/** One file in each folder that breaks no rule. */
const lawful: Record<string, string> = {
  'lib/protocol/index.ts': 'export interface Word { readonly text: string }\nexport const word = 1;\n',
  'lib/runtime/index.ts': 'export const runtime = 1;\n',
  'lib/log/index.ts': "export { word } from '../protocol/index.ts';\n",
  'lib/log/turn/fold-turn.ts': 'export const fold = 1;\n',
  'lib/views/reader/read-turn.ts': "export { fold } from '../../log/turn/fold-turn.ts';\n",
  'lib/settings/index.ts': "export { word } from '../log/index.ts';\n",
  'lib/rights/index.ts': "export { word } from '../settings/index.ts';\n",
  'lib/views/index.ts': "export { word } from '../rights/index.ts';\n",
  'lib/run/index.ts': "export { word } from '../views/index.ts';\n",
  'lib/commands/index.ts': "export { word } from '../run/index.ts';\n",
  'lib/flow/index.ts':
    "import type { Word } from '../protocol/index.ts';\nexport { word } from '../commands/index.ts';\nexport const flow: Word = { text: '' };\n",
  'lib/stores/index.ts': "import { DatabaseSync } from 'node:sqlite';\nexport const store = DatabaseSync;\n",
  'lib/stores/sqlite/store.ts': "import { mkdirSync } from 'node:fs';\nexport const file = mkdirSync;\n",
  'lib/stores/postgres/store.ts': "export { runtime } from '../../runtime/index.ts';\n",
  'lib/server/server.ts':
    "import type { Duplex } from 'node:stream';\nexport type Socket = Duplex;\nexport { flow } from '../flow/index.ts';\n",
  'lib/client/index.ts': "export { word } from '../protocol/index.ts';\n",
  'lib/sse/client.ts':
    "import { DefaultChatTransport } from 'ai';\nexport { word } from '../client/index.ts';\nexport const sse = DefaultChatTransport;\n",
  'lib/sse/server.ts': "export { flow } from '../server/server.ts';\n",
  'lib/bidi/client.ts': 'export const bidi = 1;\n',
  'lib/bidi/server.ts': "import { WebSocketServer } from 'ws';\nexport const server = WebSocketServer;\n",
  'lib/dialects/index.ts': "export { flow } from '../flow/index.ts';\n",
  'lib/react/index.ts':
    "export { useState } from 'react';\nexport { sse } from '../sse/client.ts';\nexport { word } from '../client/index.ts';\n",
  'lib/testing/index.ts':
    "export { store } from '../stores/index.ts';\nexport { server } from '../bidi/server.ts';\n",
  'lib/plugins/other/index.ts': "export { flow } from '../../flow/index.ts';\n",
  'lib/cli/index.ts': "export { store } from '../testing/index.ts';\n",
  'app/page.tsx': "import { sse } from 'countersign/sse';\nexport const page = <p>{String(sse)}</p>;\n",
  'server.ts': "export { flow } from 'countersign/sse/server';\n",
};

interface Violation {
  rule: string;
  file: string;
  source: string;
}

const violations: Violation[] = [
  { rule: 'folder-protocol', file: 'lib/protocol/bad.ts', source: "import '../log/index.ts';" },
  { rule: 'folder-runtime', file: 'lib/runtime/bad.ts', source: "import '../protocol/index.ts';" },
  { rule: 'folder-log', file: 'lib/log/bad.ts', source: "import '../settings/index.ts';" },
  { rule: 'folder-settings', file: 'lib/settings/bad.ts', source: "import '../rights/index.ts';" },
  { rule: 'folder-rights', file: 'lib/rights/bad.ts', source: "import '../views/index.ts';" },
  { rule: 'folder-views', file: 'lib/views/bad.ts', source: "import '../run/index.ts';" },
  { rule: 'folder-plugins', file: 'lib/plugins/bad.ts', source: "import '../react/index.ts';" },
  { rule: 'folder-run', file: 'lib/run/bad.ts', source: "import '../commands/index.ts';" },
  { rule: 'folder-commands', file: 'lib/commands/bad.ts', source: "import '../flow/index.ts';" },
  { rule: 'folder-channels', file: 'lib/channels/bad.ts', source: "import '../react/index.ts';" },
  { rule: 'folder-flow', file: 'lib/flow/bad.ts', source: "import '../stores/index.ts';" },
  {
    rule: 'folder-log',
    file: 'lib/log/type.ts',
    source: "import type { store } from '../stores/index.ts';",
  },
  { rule: 'folder-stores', file: 'lib/stores/bad.ts', source: "export * from '../flow/index.ts';" },
  { rule: 'folder-server', file: 'lib/server/bad.ts', source: "import '../sse/server.ts';" },
  { rule: 'folder-client', file: 'lib/client/bad.ts', source: "import '../react/index.ts';" },
  { rule: 'folder-sse', file: 'lib/sse/bad.ts', source: "import '../bidi/client.ts';" },
  { rule: 'folder-bidi', file: 'lib/bidi/bad.ts', source: "import '../dialects/index.ts';" },
  { rule: 'folder-dialects', file: 'lib/dialects/bad.ts', source: "import '../sse/client.ts';" },
  { rule: 'folder-react', file: 'lib/react/bad.tsx', source: "import '../sse/server.ts';" },
  { rule: 'folder-testing', file: 'lib/testing/bad.ts', source: "await import('../cli/index.ts');" },
  { rule: 'folder-cli', file: 'lib/cli/bad.ts', source: "import '../../app/page.tsx';" },
  {
    rule: 'raw-events-stay-inside',
    file: 'lib/dialects/raw.ts',
    source: "import '../log/turn/fold-turn.ts';",
  },
  { rule: 'raw-events-stay-inside', file: 'lib/views/raw.ts', source: "import '../log/turn/fold-turn.ts';" },
  { rule: 'every-folder-has-arrows', file: 'lib/new/bad.ts', source: "import '../flow/index.ts';" },
  { rule: 'app-uses-entry-points', file: 'app/bad.tsx', source: "import '../lib/sse/client.ts';" },
  { rule: 'client-stays-in-the-browser', file: 'lib/sse/client-x.ts', source: "import './far.ts';" },
  {
    rule: 'client-stays-in-the-browser',
    file: 'lib/bidi/client-fs.ts',
    source: "import 'node:fs/promises';",
  },
  { rule: 'client-stays-in-the-browser', file: 'lib/bidi/client-ws.ts', source: "import 'ws';" },
  {
    rule: 'client-stays-in-the-browser',
    file: 'lib/dialects/client/reducer.ts',
    source: "import '../index.ts';",
  },
  { rule: 'client-stays-in-the-browser', file: 'lib/client/os.ts', source: "import 'node:os';" },
  { rule: 'protocol-is-pure', file: 'lib/protocol/crypto.ts', source: "import 'node:crypto';" },
  { rule: 'runs-anywhere', file: 'lib/flow/hash.ts', source: "import { hash } from 'node:crypto';" },
  { rule: 'runs-anywhere', file: 'lib/stores/backoff.ts', source: "import 'timers/promises';" },
  { rule: 'stores-stay-apart', file: 'lib/stores/postgres/near.ts', source: "import '../sqlite/store.ts';" },
  { rule: 'stores-stay-apart', file: 'lib/stores/postgres/far.ts', source: "import '../shared.ts';" },
  { rule: 'stores-stay-apart', file: 'lib/stores/sqlite/bad.ts', source: "import '../postgres/store.ts';" },
  {
    rule: 'client-halves-of-plugins',
    file: 'lib/plugins/comments/react/bad.ts',
    source: "import '../../../server/server.ts';",
  },
  { rule: 'plugins-stay-apart', file: 'lib/plugins/comments/bad.ts', source: "import '../other/index.ts';" },
  { rule: 'react-stays-in-react', file: 'lib/flow/hook.ts', source: "import '@ai-sdk/react';" },
  { rule: 'react-stays-in-react', file: 'lib/client/hook.ts', source: "import 'react';" },
  { rule: 'drivers-stay-in-stores', file: 'lib/flow/sql.ts', source: "import 'node:sqlite';" },
  {
    rule: 'sockets-stay-in-bidi-server',
    file: 'lib/server/socket.ts',
    source: "import type { WebSocket } from 'ws';",
  },
  { rule: 'sockets-stay-in-bidi-server', file: 'lib/bidi/frames.ts', source: "import 'ws';" },
  { rule: 'no-cycle', file: 'lib/flow/one.ts', source: "import './two.ts';" },
  {
    rule: 'no-cycle',
    file: 'lib/log/first.ts',
    source: "import type { Second } from './second.ts';\nexport type First = Second;",
  },
  { rule: 'resolvable', file: 'lib/flow/lost.ts', source: "import 'never-installed';" },
];

/** Files that a violation needs. They break no rule alone. */
const accomplices: Record<string, string> = {
  'lib/sse/far.ts': "export { flow } from '../flow/index.ts';\n",
  'lib/stores/shared.ts': "export { file } from './sqlite/store.ts';\n",
  'lib/log/second.ts': "import type { First } from './first.ts';\nexport type Second = First;\n",
  'lib/flow/two.ts': "export * from './one.ts';\nusing held = { [Symbol.dispose]() {} };\nvoid held;\n",
};

async function cruise(folder: string): Promise<string[]> {
  const depcruise = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const args = [depcruise, '--output-type', 'json', 'lib', 'app', 'server.ts'];
  const { stdout } = await run(process.execPath, args, { cwd: folder, maxBuffer: 64_000_000 }).catch(
    (failure: { stdout: string }) => failure,
  );
  const report: unknown = JSON.parse(stdout);
  return parseViolations(report);
}

function parseViolations(report: unknown): string[] {
  const { summary } = report as { summary: { violations: { from: string; rule: { name: string } }[] } };
  return summary.violations.map((violation) => `${violation.rule.name} ${violation.from}`);
}

async function write(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, source] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), source);
  }
}

describe('import rules', () => {
  let folder = '';
  let before: string[] = [];
  let after: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'import-rules-'));
    for (const file of ['package.json', 'tsconfig.json', '.dependency-cruiser.cjs']) {
      await cp(join(root, file), join(folder, file));
    }
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    await write(folder, lawful);
    before = await cruise(folder);
    await write(folder, accomplices);
    await write(folder, Object.fromEntries(violations.map(({ file, source }) => [file, `${source}\n`])));
    after = await cruise(folder);
  }, 60_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('accept one valid file in each folder', () => {
    expect(before).toEqual([]);
  });

  it.each(violations)('$rule: refuse `$source` in $file', ({ rule, file }) => {
    expect(after).toContain(`${rule} ${file}`);
  });

  it('have a planted violation each', async () => {
    const law: { default: { forbidden: { name: string }[] } } = await import(
      join(root, '.dependency-cruiser.cjs')
    );
    const planted = new Set(violations.map(({ rule }) => rule));
    expect(law.default.forbidden.map(({ name }) => name).filter((name) => !planted.has(name))).toEqual([]);
  });
});
