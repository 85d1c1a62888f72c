import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, vi } from 'vitest';
import { bundleWorker, importsOf } from '../contract/workerd/bundle-worker.ts';
import { dates, startWorkerd } from '../contract/workerd/start-workerd.ts';
import { adr } from '../support/adr.ts';
import { awaitedSeals } from './rejected/awaited-seals.ts';

const { clause } = adr('0028-runs-without-node.md');

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const auditKey = 'a key of the audit record';
const ada = { id: 'ada', name: 'Ada' };
const cursorKey = new Uint8Array(32).fill(7);

/** The engine's own modules, loaded anew: with modules of Node, or without any. */
async function loadModules({ hasNode }: { hasNode: boolean }) {
  vi.resetModules();
  const modules = vi.spyOn(process, 'getBuiltinModule');
  if (!hasNode) modules.mockReturnValue(undefined);
  const { createSeals } = await import('../../lib/log/seal/audit-keys.ts');
  const { createSigner } = await import('../../lib/server/identity/derive-key.ts');
  const { createCursors } = await import('../../lib/views/questions/cursors.ts');
  modules.mockRestore();
  return {
    seals: createSeals(auditKey),
    signer: createSigner('a secret of the server', 'session-cookie'),
    cursors: createCursors({ cursorKey: async () => cursorKey }, () => 'random'),
  };
}

clause('0028.1', async () => {
  const encrypt = vi.spyOn(crypto.subtle, 'encrypt');
  onTestFinished(() => encrypt.mockRestore());
  const node = await loadModules({ hasNode: true });
  const web = await loadModules({ hasNode: false });
  const facts = { chatId: 'chat', input: { to: 'Zoë' } };
  for (const [maker, reader] of [
    [node, web],
    [web, node],
  ] as const) {
    const seal = maker.seals.make(null, facts);
    expect(reader.seals.make(null, facts)).toBe(seal);
    expect(reader.seals.fits(seal, null, facts)).toBe(true);
    expect(reader.signer.open(maker.signer.sign('session'))).toBe('session');
    const cursor = await maker.cursors.seal('chats', ada, '1764000000000.17');
    expect(await reader.cursors.open('chats', ada, cursor)).toBe('1764000000000.17');
    await expect(reader.cursors.open('feed', ada, cursor)).rejects.toThrow('The cursor is invalid.');
  }
  // The web half has made its cursors without Node.
  expect(encrypt).toHaveBeenCalled();
});

clause('0028.2', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-entries-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const entries = ['flow/index', 'server/server', 'sse/server', 'dialects/index', 'stores/postgres/store'];
  const lines = entries.map((entry, index) => `export * as e${index} from '${root}/lib/${entry}.ts';`);
  await writeFile(join(folder, 'all.ts'), lines.join('\n'));
  expect(importsOf(await bundleWorker(join(folder, 'all.ts'), ['pg']))).toEqual(['pg']);

  // Rejected: an import of Node.
  const worker = "import 'node:crypto'; export class Chat {} export default { fetch: () => new Response() };";
  await expect(startWorkerd(worker, dates.withoutNode)).rejects.toThrow('No such module "node:crypto"');
});

clause('0028.3', async () => {
  const { seals } = await loadModules({ hasNode: false });
  let last: string | null = null;
  const append = async (facts: object) => {
    const previous = last;
    last = seals.make(previous, facts);
    return previous;
  };
  const followed = await Promise.all([append({ seq: 1 }), append({ seq: 2 })]);
  expect(new Set(followed).size).toBe(2);

  const rejected = awaitedSeals(auditKey);
  const forked = await Promise.all([rejected.append({ seq: 1 }), rejected.append({ seq: 2 })]);
  expect(forked).toEqual([null, null]);
});

clause('0028.4', async () => {
  const { createHmac, ...others } = process.getBuiltinModule('node:crypto');
  const counted = vi.fn(createHmac);
  vi.resetModules();
  const real = process.getBuiltinModule;
  const modules = vi.spyOn(process, 'getBuiltinModule');
  modules.mockImplementation((name: string) =>
    name === 'node:crypto' ? { ...others, createHmac: counted } : real.call(process, name),
  );
  onTestFinished(() => modules.mockRestore());
  const { createSeals } = await import('../../lib/log/seal/audit-keys.ts');
  createSeals(auditKey).make(null, {});
  expect(counted).toHaveBeenCalledTimes(1);
});

clause('0028.5', async () => {
  const failureOf = async (program: string) => {
    const flags = ['--no-experimental-sqlite', '--conditions=countersign-source', '--input-type=module'];
    const failed = await run(process.execPath, [...flags, '--eval', program], { cwd: root }).catch(
      (error: { stderr: string }) => error,
    );
    return failed.stderr;
  };
  expect(await failureOf("import 'countersign/store/sqlite';")).toContain('of Node 22.13 or newer');

  const rejected = await failureOf("import { DatabaseSync } from 'node:sqlite';");
  expect(rejected).toContain('ERR_UNKNOWN_BUILTIN_MODULE');
  expect(rejected).not.toContain('22.13');
});
