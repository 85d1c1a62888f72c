import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { launchBrowser, openPage } from '../browser/launch.ts';
import { servePaymentProvider } from './support/payment-provider.ts';
import { run } from './support/run.ts';
import { startProgram } from './support/start-program.ts';

const root = resolve(import.meta.dirname, '../..');
const heading = '## In a new Next.js app';

/** Its page. */
const guide = 'docs/guides/get-started.md';

/** A step of the guide: commands to type, or a file to write. */
type Step = { readonly commands: string } | { readonly file: string; readonly content: string };

/** The steps under a heading, in order. A block that is neither commands nor a named file is an error. */
function stepsOf(page: string): Step[] {
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

describe('the steps of the first guide, from a new Next.js app to an approval chat', () => {
  it('create exactly the files of the minimal example', async () => {
    const files = stepsOf(await readFile(join(root, guide), 'utf8')).filter((step) => 'file' in step);
    expect(files.map(({ file }) => file).sort()).toEqual([
      'app/api/[...path]/route.ts',
      'app/layout.tsx',
      'app/page.tsx',
    ]);
    for (const { file, content } of files) {
      expect(content).toBe(await readFile(join(root, 'examples/next-minimal', file), 'utf8'));
    }
  });

  it('lead to two payments, one approved and one denied, in a browser', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-newcomer-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    // The one difference: npm gets the library from its tarball.
    await cp(inject('tarball'), join(folder, 'countersign.tgz'));
    const env = await servePaymentProvider();
    const steps = stepsOf(await readFile(join(root, guide), 'utf8'));
    const app = join(folder, 'approvals');
    let serving = '';
    for (const step of steps) {
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
          await run('sh', ['-c', command], { cwd: app, env });
        }
      }
    }
    const { url } = await startProgram(serving, {
      cwd: app,
      env: { ...env, PORT: '0', HOSTNAME: '127.0.0.1' },
    });

    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const { page, uncaught, consoleErrors } = await openPage(browser);
    await page.goto(url);
    await page.getByRole('textbox', { name: 'Message' }).fill('Pay Alice 30 and Bob 40');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: /Pay Alice 30/ }).waitFor();
    await page.getByRole('button', { name: /^Approve/ }).click();
    await page.getByRole('heading', { name: /Pay Bob 40/ }).waitFor();
    await page.getByRole('button', { name: /^Deny/ }).click();
    await page.getByText('2 payments are settled.').waitFor();
    expect(uncaught).toEqual([]);
    expect(consoleErrors).toEqual([]);
  });
});
