// depends on: lib scripts/package scripts/emit-declarations.mjs package.json tsconfig.build.json README.md CHANGELOG.md
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { join, posix, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parseSync } from 'oxc-parser';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { emitDeclarations } from '../../scripts/emit-declarations.mjs';
import { bundleCode } from '../../scripts/package/code.mjs';
import { bundleDeclarations } from '../../scripts/package/declarations.mjs';
import { entriesOf, isStylesheet, packedManifest } from '../../scripts/package/manifest.mjs';
import { markPure } from '../../scripts/package/mark-pure.mjs';
import { packedPage, pages } from '../../scripts/package/pages.mjs';
import { writePlainTypes } from '../../scripts/package/plain-types.mjs';
import { adr } from '../support/adr.ts';

const { clause } = adr('0057-the-package.md');

const root = resolve(import.meta.dirname, '../..');
const modules = new Map([...entriesOf(manifest)].filter(([file]) => !isStylesheet(file)));
const typed = new Map([...modules].filter(([file]) => file !== 'cli'));

let folder = '';
let dist = '';
/** The files of code, with what each imports. */
let files: ReadonlyMap<string, { readonly code: string; readonly imports: readonly string[] }>;
beforeAll(async () => {
  folder = await mkdtemp(join(root, 'node_modules/.cache/package-'));
  dist = join(folder, 'node_modules/countersign/dist');
  await bundleCode(modules, dist);
  await bundleDeclarations(typed, dist);
  const built = globSync('**/*.js', { cwd: dist }).map((file) => {
    const code = readFileSync(join(dist, file), 'utf8');
    return [file, { code, imports: importsOf(file, code) }] as const;
  });
  files = new Map(built);
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

function importsOf(file: string, code: string): string[] {
  const { staticImports, staticExports } = parseSync(file, code).module;
  const names = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
  ];
  return [...new Set(names)].map((name) =>
    name.startsWith('.') ? posix.join(posix.dirname(file), name) : name,
  );
}

/** The files and packages that a file loads, with itself. */
function loadedBy(file: string): Set<string> {
  const loaded = new Set([file]);
  // A set also visits what is added to it meanwhile.
  for (const each of loaded) for (const name of files.get(each)?.imports ?? []) loaded.add(name);
  return loaded;
}

/** The files of declarations and packages that a file of declarations imports, with itself. */
function declaredBy(file: string): string[] {
  const reached = new Set([file]);
  // A set also visits what is added to it meanwhile.
  for (const each of reached) {
    if (!each.endsWith('.d.ts')) continue;
    const text = readFileSync(join(dist, each), 'utf8');
    for (const [, name = ''] of text.matchAll(/\b(?:from |import |import\()["']([^"']+)["']/g)) {
      const path = posix.join(posix.dirname(each), name.replace(/\.js$/, '.d.ts'));
      reached.add(name.startsWith('.') ? path : name);
    }
  }
  return [...reached];
}

/** What the compiler says about a module of the folder. */
async function typeErrors(file: string, options: { readonly skipLibCheck: boolean }): Promise<string> {
  const compilerOptions = {
    ...{ strict: true, noEmit: true, module: 'nodenext', target: 'es2024', types: ['node'] },
    ...{ lib: ['es2024', 'dom', 'dom.iterable', 'esnext.disposable'], ...options },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  return promisify(execFile)(process.execPath, [compiler, '--project', folder]).then(
    () => '',
    (error) => String(error.stdout),
  );
}

const classesIn = (code: string) =>
  [...code.matchAll(/\bclass (?!extends\b)(\w+)|(\w+)=class\b/g)].map(
    ([, name, assigned]) => name ?? assigned,
  );

clause('0057.1', async () => {
  expect([...files.keys()]).toEqual(expect.arrayContaining([...modules.keys()].map((file) => `${file}.js`)));
  for (const file of typed.keys()) expect(globSync(`${file}.d.ts`, { cwd: dist })).toHaveLength(1);
  const { dependencies, peerDependencies } = manifest;
  const declared = Object.keys({ ...dependencies, ...peerDependencies });
  const packages = [...files.values()].flatMap(({ imports }) => imports.filter((name) => !files.has(name)));
  const isDeclared = (name: string) =>
    name.startsWith('node:') || declared.some((each) => name === each || name.startsWith(`${each}/`));
  expect(packages.filter((name) => !isDeclared(name))).toEqual([]);
  expect(packages).toEqual(expect.arrayContaining(['ai', 'zod', 're2js', 'react']));

  // Rejected: the chunks of the bundler, one for each set of entry points.
  const inner = (id: string) => /^[./]/.test(id);
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(modules),
    external: (id) => !inner(id),
    onLog() {},
  });
  const { output } = await bundle.generate();
  expect(output.length).toBeGreaterThan(1.5 * files.size);
});

clause('0057.2', () => {
  const classes = [...files.values()].flatMap(({ code }) => classesIn(code));
  expect(classes).toContain('CountersignError');
  expect(classes).toHaveLength(new Set(classes).size);
  for (const file of files.keys()) {
    for (const name of files.get(file)?.imports ?? []) expect(loadedBy(name)).not.toContain(file);
  }
});

clause('0057.3', () => {
  const loaded = [...loadedBy('index.js')];
  expect(loaded).toContain('ai');
  expect(loaded.filter((name) => /^(react|node:|pg$|ws$|store\/)/.test(name))).toEqual([]);
  for (const file of ['sse/server.js', 'store/postgres.js', 'http/server.js'])
    expect([...loadedBy(file)].filter((name) => /^(react|node:)/.test(name))).toEqual([]);
  // The counterexamples that the chunks keep apart.
  expect(loadedBy('bidi/server.js')).toContain('node:http');
  expect(loadedBy('react.js')).toContain('react');
});

clause('0057.4', () => {
  const marked = [...files].filter(([, { code }]) => /^['"]use client['"]/.test(code)).map(([file]) => file);
  expect(marked).toContain('chunks/components.js');
  const forServers = [...modules.keys()].filter((file) => !/(^|\/)react$/.test(file));
  for (const file of forServers)
    expect(marked.filter((each) => loadedBy(`${file}.js`).has(each))).toEqual([]);
  expect(loadedBy('react.js')).toContain('chunks/components.js');
  // Words are for servers, too: they are not behind the mark.
  const words = [...files].filter(([, { code }]) => /\bdefaultCardWords=/.test(code)).map(([file]) => file);
  expect(words).toHaveLength(1);
  expect(marked).not.toContain(words[0]);
});

clause('0057.5', async () => {
  const source = 'const made = make().some(...make()); export const own = () => 1;';
  const marked = markPure(source, parseSync('chunk.js', source).program);
  expect(await kept(marked)).not.toContain('make()');

  // Rejected: chunks without marks.
  expect(await kept(source)).toContain('make()');

  /** What a bundler keeps of a chunk of which it needs `own`. */
  async function kept(chunk: string): Promise<string> {
    await writeFile(join(folder, 'chunk.js'), `import { make } from 'elsewhere';\n${chunk}`);
    await writeFile(join(folder, 'page.js'), "export { own } from './chunk.js';");
    const bundle = await rolldown({ cwd: folder, input: 'page.js', external: ['elsewhere'] });
    return (await bundle.generate()).output[0].code;
  }
});

clause('0057.6', async () => {
  const app = `
    import { createApprovalFlow, type Question } from 'countersign';
    import type { QuestionPlugins } from 'countersign/plugin';
    import { remembered } from 'countersign/plugins/remembered';
    import { votes } from 'countersign/plugins/votes';
    import 'countersign/plugins/escalation';
    import 'countersign/react';
    declare module 'countersign/plugin' {
      interface QuestionPlugins { readonly comments?: { readonly count: number } }
    }
    declare const settings: Parameters<typeof createApprovalFlow>[0];
    declare const question: Question;
    createApprovalFlow({
      ...settings,
      toolDetails: { pay: { remembered: false, votes: { count: 2 }, escalation: false } },
      plugins: [remembered(), votes()],
    });
    export const said: QuestionPlugins = { comments: { count: 1 }, votes: question.plugins?.votes };
    // @ts-expect-error no plugin adds this
    said.unknown;
  `;
  // A page's app may lack the types of Node.
  for (const file of ['react', 'client', 'sse', 'bidi', 'dialects/client']) {
    const declared = declaredBy(`${file}.d.ts`);
    expect(declared).toContain('ai');
    expect(declared.filter((name) => name.startsWith('node:'))).toEqual([]);
  }
  expect(declaredBy('bidi/server.d.ts')).toContain('node:http');

  await writeFile(join(folder, 'app.ts'), app);
  await writeFile(
    join(folder, 'node_modules/countersign/package.json'),
    JSON.stringify(packedManifest(manifest)),
  );
  await symlink(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'));
  // Also the declarations themselves are checked.
  expect(await typeErrors('app.ts', { skipLibCheck: false })).toBe('');
});

clause('0057.7', () => {
  const packed = packedManifest(manifest);
  const exported: Record<string, Record<string, string>> = JSON.parse(JSON.stringify(packed.exports));
  const targets = Object.values(exported).flatMap((conditions) => Object.values(conditions));
  for (const target of [...targets, packed.bin.countersign]) expect(target).toMatch(/^\.\/dist\//);
  expect(Object.keys(packed)).not.toEqual(expect.arrayContaining(['private']));
  expect(JSON.stringify(packed)).not.toMatch(/countersign-source|devDependencies|scripts/);
  for (const page of pages) {
    const text = readFileSync(join(root, page), 'utf8');
    const hrefs = (given: string) =>
      [...given.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
        .map(([, href = '']) => href)
        .filter((href) => !/^https?:/.test(href));
    expect(hrefs(packedPage(text)).filter((href) => ![...pages, 'LICENSE'].includes(href))).toEqual([]);
  }

  const readme = packedPage(readFileSync(join(root, 'README.md'), 'utf8'));
  expect(readme).toContain('may have to approve a call. An unanswered');
  expect(readme).not.toMatch(/\((guide|\d{4}|SECURITY)\b/);
  expect(readme.slice(readme.indexOf('## Next steps'))).toBe(
    '## Next steps\n\n- [Changelog](CHANGELOG.md), [license (MIT)](LICENSE)\n',
  );

  // Rejected: pages as they are in the repository.
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('](docs/');
});

clause('0057.8', async () => {
  const declared = resolve(await emitDeclarations());
  const inferred = join(folder, 'inferred');
  await cp(declared, inferred, { recursive: true });
  const changed = writePlainTypes(declared);
  expect(changed).toContain('protocol/wire/question.d.ts');
  const checks = changed.map((file, index) => {
    const before = readFileSync(join(inferred, file), 'utf8');
    const names = [...before.matchAll(/^export type (\w+) =/gm)].map(([, name]) => name);
    return `
      import type * as plain${index} from ${JSON.stringify(join(declared, file))};
      import type * as inferred${index} from ${JSON.stringify(join(inferred, file))};
      ${names.map((name) => `export const ${name}${index}: Same<plain${index}.${name}, inferred${index}.${name}> = true;`).join('\n')}
    `;
  });
  const same = `
    type Kept<A> = <T>() => T extends A ? 1 : 2;
    type Same<A, B> = Kept<A> extends Kept<B> ? true : false;
    // @ts-expect-error one is optional
    export const other: Same<{ a: 1 }, { a?: 1 }> = true;
  `;
  await writeFile(join(folder, 'same.ts'), checks.join('') + same);
  expect(await typeErrors('same.ts', { skipLibCheck: true })).toBe('');

  const packed = globSync('**/*.d.ts', { cwd: dist }).map((file) => readFileSync(join(dist, file), 'utf8'));
  expect(packed.join('')).toContain('type QuestionJson = {');
  expect(packed.join('')).not.toContain('questionShape');

  // Rejected: the compiler of each app infers them.
  expect(readFileSync(join(inferred, 'protocol/wire/question.d.ts'), 'utf8')).toContain(
    'type QuestionJson = WireObject<typeof questionShape>',
  );
});
