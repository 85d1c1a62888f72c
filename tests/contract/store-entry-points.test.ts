// depends on: lib/stores
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const nodeVersion = process.versions.node;

/** Imports an entry point in a process without `node:sqlite`, and returns what it prints. */
async function importWithoutSqlite(entryPoint: string, print: string): Promise<string> {
  const program = `
    const asked = [];
    const real = process.getBuiltinModule;
    process.getBuiltinModule = (name) => { asked.push(name); return real.call(process, name); };
    await import(${JSON.stringify(entryPoint)}).then(
      (loaded) => console.log(${print}),
      ({ name, code, message }) => console.log(name, code, message),
    );`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      ...['--no-experimental-sqlite', '--conditions=countersign-source'],
      ...['--input-type=module', '--eval', program],
    ],
    { cwd: root },
  );
  return stdout.trim();
}

it.each(['countersign/store/sqlite', 'countersign/store'])(
  '%s names the version of Node that it needs, and the store that needs none',
  async (entryPoint) => {
    expect(await importWithoutSqlite(entryPoint, 'loaded')).toBe(
      'CountersignError internal sqliteStore needs node:sqlite, a module of Node 22.13 or newer. ' +
        `This runtime (Node ${nodeVersion}) does not have it. ` +
        'Update Node, or import only postgresStore, from countersign/store/postgres.',
    );
  },
);

it('countersign/store/postgres does not ask for SQLite', async () => {
  const print = `Object.keys(loaded).join(), asked.includes('node:sqlite')`;
  expect(await importWithoutSqlite('countersign/store/postgres', print)).toBe('postgresStore false');
});
