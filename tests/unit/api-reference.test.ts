import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const folder = mkdtempSync(join(tmpdir(), 'api-reference-'));
const page = (name: string) => readFileSync(join(folder, name), 'utf8');

function command(...args: string[]) {
  const all = ['scripts/api-reference.mjs', ...args, folder];
  const { status, stderr } = spawnSync(process.execPath, all, { encoding: 'utf8' });
  return { code: status, told: stderr };
}

beforeAll(() => {
  expect(command()).toEqual({ code: 0, told: '' });
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the API reference', () => {
  it('has a page for each entry point that is a module, and a list of them', () => {
    const doors = Object.values(manifest.exports).filter((targets) => 'types' in targets);

    expect(readdirSync(folder)).toHaveLength(doors.length + 1);
    for (const name of readdirSync(folder))
      expect(page('README.md')).toContain(`(${name})`.replace('(README.md)', ''));
  });

  it('describes a function by its signature, its docstring, and where both come from', () => {
    const section = page('store-sqlite.md').split('### sqliteStore\n')[1]?.split('\n### ')[0];

    expect(section).toContain(
      'function sqliteStore(settings: SqliteStoreSettings): FlowStore & SessionStore;',
    );
    expect(section).toContain('one SQLite file, through Node');
    expect(section).toContain('Throws: `CountersignError`');
    expect(section).toContain('[`FlowStore`](countersign.md#flowstore)');
    expect(section).toContain('[ADR 0005](../adr/0005-sqlite-driver.md)');
    expect(section).toContain('[lib/stores/sqlite/store.ts](../../lib/stores/sqlite/store.ts)');
  });

  it('describes a type with the docstrings of its members, and the types that only it mentions', () => {
    expect(page('http-server.md')).toContain('/** Idle time after which the feed sends a comment,');
    expect(page('countersign.md')).toContain('## Types that no entry point exports');
    expect(page('countersign.md')).not.toContain('import("');
  });

  it('is out of date when a page differs, is missing, or belongs to no entry point, and says which', () => {
    writeFileSync(join(folder, 'sse.md'), page('sse.md').replace('useChat', 'useTalk'));
    rmSync(join(folder, 'bidi.md'));
    writeFileSync(join(folder, 'websocket.md'), '# countersign/websocket\n');
    const { code, told } = command('--check');

    expect(code).toBe(1);
    for (const name of ['sse.md', 'bidi.md', 'websocket.md']) expect(told).toContain(join(folder, name));
    expect(told).not.toContain('store.md');
  }, 60_000);
});
