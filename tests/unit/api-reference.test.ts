// depends on: lib docs/api scripts/api-reference scripts/api-reference.mjs
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { hangMs } from '../support/hang-ms.ts';

/** The committed pages. The last test compares them with those that the command makes. */
const committed = 'docs/api';
const page = (name: string) => readFileSync(join(committed, name), 'utf8');

describe('the API reference', () => {
  it('has a page for each entry point that is a module, and a list of them', () => {
    const doors = Object.keys(manifest.exports).filter((path) => !path.endsWith('.css'));

    expect(readdirSync(committed)).toHaveLength(doors.length + 1);
    for (const name of readdirSync(committed))
      expect(page('README.md')).toContain(`(${name})`.replace('(README.md)', ''));
  });

  it('describes a function by its signature, its docstring, and where both come from', () => {
    const section = page('store-sqlite.md').split('### sqliteStore\n')[1]?.split('\n### ')[0];

    expect(section).toContain(
      'function sqliteStore(settings: SqliteStoreSettings): FlowStore & {\n  readonly sessions: SessionStore;\n};',
    );
    expect(section).toContain('one SQLite file, through Node');
    expect(section).toContain('Throws: `CountersignError`');
    expect(section).toContain('[`FlowStore`](store.md#flowstore)');
    expect(section).toContain('[ADR 0005](../adr/0005-sqlite-driver.md)');
    expect(section).toContain('[lib/stores/sqlite/store.ts](../../lib/stores/sqlite/store.ts)');
  });

  it('describes a type with the docstrings of its members, and the types that only it mentions', () => {
    expect(page('sse-server.md')).toContain('/** Silence after which a comment is sent.');
    expect(page('countersign.md')).toContain('## Types that no entry point exports');
    expect(page('countersign.md')).not.toContain('import("');
  });

  it('lists at most 40 exports of the main entry point', () => {
    const exported = page('countersign.md').match(/^[|] \[`/gm) ?? [];

    expect(exported).toContain('| [`');
    expect(exported.length).toBeLessThanOrEqual(40);
  });

  it(
    'is out of date when a page differs, is missing, or belongs to no entry point, and says which',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'api-reference-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      cpSync(committed, folder, { recursive: true });
      writeFileSync(join(folder, 'sse.md'), page('sse.md').replace('useChat', 'useTalk'));
      rmSync(join(folder, 'bidi.md'));
      writeFileSync(join(folder, 'websocket.md'), '# countersign/websocket\n');
      const args = ['scripts/api-reference.mjs', '--check', folder];
      const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });

      // Those three, so all other pages are up to date.
      const [outdated, advice] = stderr.trim().split('\n');
      const [, list = ''] = /^Out of date: (.+)[.]$/.exec(outdated ?? '') ?? [];
      const expected = ['bidi.md', 'sse.md', 'websocket.md'].map((name) => join(folder, name));
      expect(list.split(', ').sort()).toEqual(expected);
      expect(advice).toBe('Regenerate them: npm run docs:api');
      expect(status).toBe(1);
    },
    hangMs,
  );
});
