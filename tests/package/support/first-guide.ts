import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { inject } from 'vitest';
import { run } from './run.ts';

const root = resolve(import.meta.dirname, '../../..');
const guide = 'docs/guides/get-started.md';
const heading = '## In a new Next.js app';

/** A step of the guide: commands to type, or a file to write. */
export type Step = { readonly commands: string } | { readonly file: string; readonly content: string };

/** The steps of the first guide, in order. A block that is neither commands nor a named file is an error. */
export async function stepsOfFirstGuide(): Promise<Step[]> {
  const page = await readFile(join(root, guide), 'utf8');
  const begin = page.indexOf(`${heading}\n`);
  if (begin === -1) throw new Error(`${guide} has no section "${heading}".`);
  const section = page.slice(begin + heading.length);
  const end = section.search(/\n## /);
  const blocks = section.slice(0, end).matchAll(/^```(\w+)\n(?:\/\/ (\S+)\n)?([\s\S]*?)^```$/gm);
  return [...blocks].map(([block, language, file, content = '']) => {
    if (language === 'sh') return { commands: content };
    if (file === undefined) throw new Error(`A file of the guide has no name:\n${block}`);
    return { file, content };
  });
}

/** The built app of the first guide. */
export type FirstApp = {
  /** Contains the app and its tarball. The caller removes it. */
  readonly folder: string;
  readonly app: string;
  /** The guide's command that serves the app. */
  readonly serving: string;
};

/** Follows the first guide in an empty folder, up to its command that serves the app. */
export async function followFirstGuide(): Promise<FirstApp> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-newcomer-'));
  // The one difference: npm gets the library from its tarball.
  await cp(inject('tarball'), join(folder, 'countersign.tgz'));
  const app = join(folder, 'approvals');
  let serving = '';
  for (const step of await stepsOfFirstGuide()) {
    if ('file' in step) {
      await mkdir(dirname(join(app, step.file)), { recursive: true });
      await writeFile(join(app, step.file), step.content);
      continue;
    }
    for (const line of step.commands.trim().split('\n')) {
      if (line.startsWith('export ')) continue;
      if (line.includes('next start')) serving = line;
      else if (line.startsWith('mkdir ')) await run('sh', ['-c', line], { cwd: folder });
      else {
        const command = line.replace(/(npm install) countersign /, `$1 ../countersign.tgz `);
        await run('sh', ['-c', command], { cwd: app });
      }
    }
  }
  return { folder, app, serving };
}
