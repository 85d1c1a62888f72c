import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changesBetween } from '../../client/card/changes.ts';
import { type Terminal, UsageError } from '../command.ts';
import { Refusal } from './exit-code.ts';
import { plainJson, shownText } from './terminal-text.ts';

/**
 * Opens a value as JSON in the person's editor, in a file that only this user can read.
 *
 * @returns the value as it was saved
 * @throws UsageError without an editor; Refusal if the editor fails, or saved no JSON
 */
export async function edited(value: unknown, { env }: Terminal): Promise<unknown> {
  const editor = env.VISUAL || env.EDITOR;
  if (!editor) throw new UsageError('--edit needs an editor: set VISUAL or EDITOR.');
  const folder = await mkdtemp(join(tmpdir(), 'countersign-'));
  const file = join(folder, 'arguments.json');
  try {
    await writeFile(file, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    await runEditor(editor, file, env);
    return parsed(await readFile(file, 'utf8'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The editor may have arguments, as in `code --wait`, so a shell splits them. It does not get the key. */
async function runEditor(editor: string, file: string, env: Terminal['env']): Promise<void> {
  const { COUNTERSIGN_KEY: _key, ...rest } = env;
  const options = { stdio: 'inherit', env: { ...process.env, ...rest, COUNTERSIGN_KEY: undefined } } as const;
  const child =
    process.platform === 'win32'
      ? spawn(`${editor} "${file}"`, { ...options, shell: true })
      : spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], options);
  const [code] = await once(child, 'close');
  if (code !== 0) throw failed(`The editor ended with status ${code}. Nothing was answered.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw failed('The arguments are not valid JSON. Nothing was answered.');
  }
}

function failed(message: string): Refusal {
  return new Refusal({ code: 'edit-failed', message });
}

/** The differences that an edit makes, one in each line. */
export function changeLines(before: unknown, after: unknown): string[] {
  return changesBetween(before, after).map(({ path, before: from, after: to }) => {
    const place = path.length === 0 ? 'all arguments' : shownText(path.join('.'));
    return `  ${place}: ${valueText(from)} -> ${valueText(to)}`;
  });
}

function valueText(value: unknown): string {
  return value === undefined ? '(absent)' : plainJson(value);
}
