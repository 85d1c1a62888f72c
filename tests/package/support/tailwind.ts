import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from './run.ts';

const tailwindVersion = '4.3.5';

/** The part of Tailwind's compiler that is used here. It reads no files itself. */
type Tailwind = {
  compile(
    css: string,
    options: {
      loadStylesheet(id: string, base: string): Promise<{ path: string; base: string; content: string }>;
    },
  ): Promise<{ build(candidates: readonly string[]): string }>;
};

/** Installs Tailwind in a folder of its own, compiles `@import "tailwindcss"`, and removes the folder. */
export async function compiledTailwind(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-tailwind-'));
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ dependencies: { tailwindcss: tailwindVersion } }),
  );
  await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder });
  const home = join(folder, 'node_modules/tailwindcss');
  const { compile }: Tailwind = await import(pathToFileURL(join(home, 'dist/lib.mjs')).href);
  const { build } = await compile('@import "tailwindcss";', {
    async loadStylesheet(id) {
      const path = join(home, id === 'tailwindcss' ? 'index.css' : id);
      return { path, base: home, content: await readFile(path, 'utf8') };
    },
  });
  await rm(folder, { recursive: true });
  return build([]);
}
