// depends on: only its imports
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What every test of the package depends on: what is packed and run, what packs it, and the installed versions. */
const always = [
  ...['lib', 'package.json', 'package-lock.json', 'node_modules/.package-lock.json'],
  ...['tsconfig.json', 'tsconfig.build.json', 'scripts/package', 'scripts/emit-declarations.mjs'],
  'scripts/pack-library.mjs',
  ...['vitest.config.ts', 'tests/package/global-setup.ts', 'tests/package/support/skipping-runner.ts'],
];

/** What a test reads besides that and the modules that it imports. A test that is not listed is never skipped. */
const alsoRead: Readonly<Record<string, readonly string[]>> = {
  'client-size.test.ts': [],
  'clients.test.ts': ['tests/package/clients'],
  'examples.test.ts': ['examples'],
  'extend.test.ts': [
    ...['.dependency-cruiser.cjs', '.gitignore', 'README.md', 'biome.json', 'app', 'docs', 'scripts'],
    ...['adr', 'contract', 'e2e', 'support', 'unit'].map((folder) => `tests/${folder}`),
  ],
  'first-guide.test.ts': ['docs/guides/get-started.md', 'examples/next-minimal'],
  'node-versions.test.ts': [],
  'react-versions.test.ts': [],
  'tailwind.test.tsx': [],
  'tarball.test.ts': ['CHANGELOG.md', 'LICENSE', 'README.md'],
  'types-of-entry-points.test.ts': [],
};

/** What is made in these folders is not part of a commit. */
const made = /(^|\/)(node_modules|\.next|\.countersign|next-env\.d\.ts|[^/]+\.tsbuildinfo|[^/]+\.log)(\/|$)/;

/** Reads a file by its path from the project's folder. */
type Read = (path: string) => Buffer;

/** Reads each file once, for several keys of the same time. */
export function readerOf(root: string): Read {
  const contents = new Map<string, Buffer>();
  return (path) => {
    const content = contents.get(path) ?? readFileSync(join(root, path));
    contents.set(path, content);
    return content;
  };
}

/**
 * The hash of all that the result of a package test depends on: the files that it reads, their paths, and the runtime.
 *
 * @param root the project's folder
 * @param test a path from there, such as `tests/package/tarball.test.ts`
 * @param suite which rows of its tables run
 * @returns undefined for a test that does not declare what it reads
 */
export function keyOf(
  root: string,
  test: string,
  suite: string,
  read: Read = readerOf(root),
): string | undefined {
  const [, name = ''] = /^tests\/package\/(.+)$/.exec(test) ?? [];
  const declared = Object.hasOwn(alsoRead, name) ? alsoRead[name] : undefined;
  if (declared === undefined) return undefined;
  const files = new Set([...always, ...declared].flatMap((path) => filesIn(root, path)));
  for (const file of [test, ...files])
    if (/^(tests\/package|scripts)\//.test(file)) addModules(root, file, files, read);
  const hash = createHash('sha256').update(
    JSON.stringify([test, suite, process.version, process.platform, process.arch]),
  );
  for (const file of [...files].sort()) {
    hash.update(`\n${file}\n${createHash('sha256').update(read(file)).digest('hex')}`);
  }
  return hash.digest('hex');
}

/** The files of a folder, or the file of that path; none, if neither exists. */
function filesIn(root: string, path: string): string[] {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return found ? [path] : [];
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    const inside = `${path}/${entry.name}`;
    if (made.test(inside)) return [];
    return entry.isDirectory() ? filesIn(root, inside) : [inside];
  });
}

const imported = /(?:\bfrom\s*|\bimport\s*\(?\s*)'(\.{1,2}\/[^']+)'/g;

/** Adds a module, and all modules of the project that it imports. */
function addModules(
  root: string,
  path: string,
  files: Set<string>,
  read: Read,
  seen = new Set<string>(),
): void {
  if (seen.has(path) || filesIn(root, path).length !== 1) return;
  seen.add(path);
  files.add(path);
  for (const [, relative = ''] of read(path).toString().matchAll(imported)) {
    addModules(root, join(dirname(path), relative), files, read, seen);
  }
}
