// depends on: docs/api
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { outdatedPages } from '../../scripts/api-reference/outdated-pages.mjs';

/** The committed pages, which the gate "API reference" compares with those that the command makes. */
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

  it('is out of date when a page differs, is missing, or belongs to no entry point', () => {
    const folder = mkdtempSync(join(tmpdir(), 'api-reference-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const pages = new Map([
      ['sse.md', '# sse'],
      ['bidi.md', '# bidi'],
      ['react.md', '# react'],
    ]);
    const given = { 'sse.md': '# sse', 'react.md': '# vue', 'websocket.md': '# websocket' };
    for (const [name, text] of Object.entries(given)) writeFileSync(join(folder, name), text);

    const outdated = outdatedPages(pages, folder);
    expect(outdated.sort()).toEqual(
      ['bidi.md', 'react.md', 'websocket.md'].map((name) => join(folder, name)),
    );
  });
});
