// depends on: lib docs/api docs/adr scripts/api-reference scripts/api-reference.mjs package.json
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { adr } from '../support/adr.ts';

const { clause } = adr('0026-the-reference-generator.md');

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'docs/api');
const pages = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

/** The links between pages whose anchor no heading has, as `page.md#anchor`. */
function deadLinks(given: ReadonlyMap<string, string>): Set<string> {
  const anchors = new Map([...given].map(([name, page]) => [name, anchorsOf(page)]));
  const dead = new Set<string>();
  for (const [name, page] of given) {
    for (const [, target = '', anchor = ''] of page.matchAll(/\]\(([a-z-]+\.md)?#([\w-]+)\)/gi)) {
      const file = target || name;
      if (!anchors.get(file)?.has(anchor)) dead.add(`${file}#${anchor}`);
    }
  }
  return dead;
}

/** GitHub's anchors: equal headings are numbered. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of page.matchAll(/^#+ (.+)$/gm)) {
    const base = heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-');
    let anchor = base;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${base}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

clause('0026.1', () => {
  expect(deadLinks(pages)).toEqual(new Set());

  // Rejected: only exports are explained.
  const exportsOnly = new Map(
    [...pages].map(([name, page]) => [name, page.split('\n## Types that no entry')[0] ?? '']),
  );
  expect(deadLinks(exportsOnly).size).toBeGreaterThan(50);
});

clause('0026.2', () => {
  const sources = [...pages.values()].flatMap((page) => [
    ...page.matchAll(/(?:^|· )Source: (.+?)(?: ·|$)/gm),
  ]);
  expect(sources.length).toBeGreaterThan(50);
  for (const [, cited = ''] of sources) {
    for (const source of cited.split(', '))
      expect(source).toMatch(/^\[.+\]\(\.\.\/(adr|protocol)\/.+\.md.*\)/);
  }
});

clause('0026.3', async () => {
  const compiler = 'node_modules/typescript/bin/tsc';
  expect(readFileSync(join(root, 'scripts/emit-declarations.mjs'), 'utf8')).toContain(`'${compiler}'`);
  for (const user of ['scripts/api-reference.mjs', 'scripts/package/declarations.mjs'])
    expect(readFileSync(join(root, user), 'utf8')).toContain("/emit-declarations.mjs'");
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '--version'], { cwd: root });
  const api: { version: string; createProgram?: unknown } = createRequire(import.meta.url)('typescript');
  expect(stdout.trim()).toBe(`Version ${api.version}`);

  // Rejected: a generator that drives the compiler.
  expect(api.createProgram).toBeUndefined();
});
