import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { documents, readPublished, withTables } from '../bench/published/documents.ts';

const root = join(import.meta.dirname, '../..');

it.each(documents)('the figures of %s are those of the published run', (path) => {
  const document = readFileSync(join(root, path), 'utf8');
  expect(document).toContain('<!-- bench: ');
  expect(withTables(document, readPublished(root))).toBe(document);
});

it('a figure that was changed by hand, and a table that no run measures, are found', () => {
  const run = readPublished(root);
  const document = withTables('<!-- bench: run --><!-- bench end -->', run);
  expect(withTables(document.replace(/Node [\d.]+/, 'Node 99'), run)).toBe(document);
  expect(() => withTables('<!-- bench: wishes --><!-- bench end -->', run)).toThrow('no table "wishes"');
});

it('before a release, figures of another library are named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-figures-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trim();
  const commit = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
    git('add', '-A');
    git('commit', '-qm', path);
    return git('rev-parse', 'HEAD');
  };
  const check = () => {
    const { status, stderr } = spawnSync('node', [join(root, 'scripts/bench-check.mjs'), folder], {
      encoding: 'utf8',
    });
    return { status, stderr };
  };
  try {
    git('init', '-q');
    const measured = commit('lib/a.ts', '');
    commit('docs/performance.json', JSON.stringify({ commit: measured, at: '2026-11-28' }));
    expect(check()).toEqual({ status: 0, stderr: '' });
    commit('lib/a.ts', '// changed');
    expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining('lib/a.ts') });
    commit('docs/performance.json', JSON.stringify({ commit: 'f'.repeat(40), at: '2026-11-28' }));
    expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining('does not have') });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
