import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { inject } from 'vitest';
import { run } from './run.ts';

const root = resolve(import.meta.dirname, '../../..');
const guide = 'docs/guides/get-started.md';
const headings = { app: '## In a new Next.js app', tailwind: '## With Tailwind' };

/** A step of the guide: commands to type, a file to write, or a change of files. */
export type Step =
  | { readonly commands: string }
  | { readonly file: string; readonly content: string }
  | { readonly patch: string };

/** The steps of a section, in order. A block that is neither commands, nor a change, nor a named file is an error. */
export async function stepsOfFirstGuide(section: keyof typeof headings = 'app'): Promise<Step[]> {
  const heading = headings[section];
  const page = await readFile(join(root, guide), 'utf8');
  const begin = page.indexOf(`${heading}\n`);
  if (begin === -1) throw new Error(`${guide} has no section "${heading}".`);
  const text = page.slice(begin + heading.length);
  const end = text.search(/\n## /);
  const blocks = text.slice(0, end).matchAll(/^```(\w+)\n(?:\/[/*] (\S+)(?: \*\/)?\n)?([\s\S]*?)^```$/gm);
  return [...blocks].map(([block, language, file, content = '']) => {
    if (language === 'sh') return { commands: content };
    if (language === 'diff') return { patch: content };
    if (file === undefined) throw new Error(`A file of the guide has no name:\n${block}`);
    return { file, content };
  });
}

/** How the app of the first guide is styled. */
export type Styling = 'plain CSS' | 'Tailwind 4';

/** The built app of the first guide. */
export type FirstApp = {
  /** Contains the app and its tarball. The caller removes it. */
  readonly folder: string;
  readonly app: string;
  /** The guide's command that serves the app. */
  readonly serving: string;
};

/** Follows the first guide in an empty folder, up to its command that serves the app. */
export async function followFirstGuide(styling: Styling): Promise<FirstApp> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-newcomer-'));
  // The one difference: npm gets the library from its tarball.
  await cp(inject('tarball'), join(folder, 'countersign.tgz'));
  const app = join(folder, 'approvals');
  let serving = '';
  for (const step of await stepsWith(styling)) {
    if ('file' in step) {
      await mkdir(dirname(join(app, step.file)), { recursive: true });
      await writeFile(join(app, step.file), step.content);
      continue;
    }
    if ('patch' in step) {
      await writeFile(join(folder, 'change.diff'), step.patch);
      await run('git', ['apply', '../change.diff'], { cwd: app });
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

/** The section on Tailwind changes the app of the first section before it is built. */
async function stepsWith(styling: Styling): Promise<readonly Step[]> {
  const steps = await stepsOfFirstGuide();
  if (styling === 'plain CSS') return steps;
  const building = steps.findIndex((step) => 'commands' in step && step.commands.includes('next build'));
  return steps.toSpliced(building, 0, ...(await stepsOfFirstGuide('tailwind')));
}
