import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rootUrl } from '../../support/patches/patch.ts';

const root = fileURLToPath(rootUrl);
/** Suites that need no built app, packed library, or process that is killed. */
const folders = ['unit', 'adr', 'contract', 'e2e'];

/** Which test files import which files, read from the import statements that remain at run time. */
export class ImportGraph {
  readonly #imports = new Map<string, readonly string[]>();
  readonly #closures = new Map<string, ReadonlySet<string>>();
  readonly #entryPoints = entryPoints();
  readonly #suites: readonly string[];

  /** @param suites the test files to find, relative to the repository's root */
  constructor(suites: readonly string[] = allSuites()) {
    this.#suites = suites;
  }

  /** The test files that import one of the files, directly or not; those that import least come first. */
  suitesOf(files: readonly string[]): string[] {
    return this.#suites
      .filter((suite) => files.some((file) => this.#closureOf(suite).has(file)))
      .sort((a, b) => this.#closureOf(a).size - this.#closureOf(b).size || a.localeCompare(b));
  }

  #closureOf(suite: string): ReadonlySet<string> {
    const known = this.#closures.get(suite);
    if (known) return known;
    const closure = new Set([suite]);
    for (const file of closure) for (const imported of this.#importsOf(file)) closure.add(imported);
    this.#closures.set(suite, closure);
    return closure;
  }

  #importsOf(file: string): readonly string[] {
    const known = this.#imports.get(file);
    if (known) return known;
    const text = readFileSync(join(root, file), 'utf8');
    const imports = [...text.matchAll(/(?:^(?:import|export|\}) (?!type\b)[^;']*?|\bimport\()'([^']+)'/gm)]
      .map(
        ([, name = '']) =>
          this.#entryPoints.get(name) ?? (name.startsWith('.') ? join(dirname(file), name) : ''),
      )
      .filter((path) => /\.[mt]sx?$/.test(path) && existsSync(join(root, path)));
    this.#imports.set(file, imports);
    return imports;
  }
}

function allSuites(): string[] {
  return folders.flatMap((folder) => globSync(`tests/${folder}/**/*.test.{ts,tsx}`, { cwd: root }));
}

/** `countersign/sse` → `lib/sse/client.ts` */
function entryPoints(): Map<string, string> {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, { readonly 'countersign-source': string }>>;
  };
  return new Map(
    Object.entries(exports).map(([path, conditions]) => [
      join(name, path),
      join(conditions['countersign-source']),
    ]),
  );
}
