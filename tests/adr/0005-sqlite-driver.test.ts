import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect } from 'vitest';
import { sqliteStore } from '../../lib/stores/index.ts';
import { openDatabase } from '../../lib/stores/sqlite/database.ts';
import { transaction } from '../../lib/stores/sqlite/transaction.ts';
import { batch, chat, text } from '../contract/store-batches.ts';
import { adr } from '../support/adr.ts';

const { clause } = adr('0005-sqlite-driver.md');

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-adr-'));
  path = join(folder, 'store.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a script in a separate Node process, with `sqliteStore`, `path` and `first` (a batch) in scope. */
async function inProcess(script: string, ...flags: string[]) {
  const door = new URL('../../lib/stores/index.ts', import.meta.url);
  const program = `
    import { sqliteStore } from ${JSON.stringify(door.href)};
    const path = ${JSON.stringify(path)};
    const first = ${JSON.stringify(batch(chat, 0, [text('first')]))};
    ${script}`;
  const child = spawn(process.execPath, [...flags, '--input-type=module', '--eval', program]);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code, signal] = await once(child, 'close');
  return { stdout, stderr, code, signal };
}

clause('0005.1', () => {
  const db = openDatabase(path);
  const setting = (pragma: string) => Object.values(db.prepare(`pragma ${pragma}`).get() ?? {})[0];
  const pragmas = ['journal_mode', 'synchronous', 'busy_timeout', 'foreign_keys', 'secure_delete'];
  expect(pragmas.map(setting)).toEqual(['wal', 2, 0, 1, 1]);
  db.close();
});

clause('0005.2', async () => {
  const ours = await inProcess(
    `const store = sqliteStore({ path });
    console.log(await store.append(first));
    await store.close();`,
    '--no-addons',
  );
  expect(ours).toEqual({ stdout: 'appended\n', stderr: '', code: 0, signal: null });

  const rejected = await inProcess(`process.dlopen({ exports: {} }, 'better_sqlite3.node');`, '--no-addons');
  expect(rejected.code).not.toBe(0);
  expect(rejected.stderr).toContain('ERR_DLOPEN_DISABLED');
});

clause('0005.3', async () => {
  const killed = await inProcess(`
    await sqliteStore({ path }).append(first);
    process.kill(process.pid, 'SIGKILL');`);
  expect(killed.signal).toBe('SIGKILL');
  const store = sqliteStore({ path });
  expect(await store.events.read(chat, 0)).toMatchObject([{ seq: 1, delta: 'first' }]);
  await store.close();

  // Rejected: to acknowledge first and commit later, with more appends.
  const gathering = await inProcess(`
    const { DatabaseSync } = await import('node:sqlite');
    const db = new DatabaseSync(path);
    db.exec("begin immediate; update chats set title = '\\"late\\"'");
    process.kill(process.pid, 'SIGKILL');`);
  expect(gathering.signal).toBe('SIGKILL');
  const after = sqliteStore({ path });
  expect(await after.chats.head(chat)).toMatchObject({ title: 'A chat' });
  await after.close();
});

clause('0005.4', () => {
  const here = openDatabase(path);
  const there = openDatabase(path);
  const move = (db: DatabaseSync) => db.exec('update feed set last = last + 1');
  const read = (db: DatabaseSync) => db.prepare('select last from feed').get();

  here.exec('begin');
  read(here);
  move(there);
  expect(() => move(here)).toThrow(/locked/);
  here.exec('rollback');

  there.exec('pragma busy_timeout = 0');
  transaction(here, () => {
    read(here);
    expect(() => move(there)).toThrow(/locked/);
    move(here);
  });
  expect(read(there)).toEqual({ last: 2 });
  here.close();
  there.close();
});

clause('0005.6', async () => {
  const store = sqliteStore({ path });
  await store.append(batch(chat, 0, [text('first')]));
  const order: string[] = [];
  const holder = spawn(process.execPath, [
    ...['--input-type=module', '--eval'],
    `import { DatabaseSync } from 'node:sqlite';
    const db = new DatabaseSync(${JSON.stringify(path)});
    db.exec('begin immediate');
    process.stdout.write('held');
    process.stdin.once('data', () => { db.exec('commit'); process.stdout.write('released'); process.stdin.destroy(); });`,
  ]);
  await once(holder.stdout, 'data');

  const writes = [1, 2].map((after) =>
    store.append(batch(chat, after, [text()])).then((result) => order.push(`${result} after ${after}`)),
  );
  for (let fired = 0; fired < 2; fired += 1) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    order.push('timer');
  }
  expect(await store.events.read(chat, 0)).toHaveLength(1);
  holder.stdin.write('release');
  await Promise.all([...writes, once(holder, 'close')]);
  expect(order).toEqual(['timer', 'timer', 'appended after 1', 'appended after 2']);

  // Rejected: SQLite's own wait. No timer fires before its end, so nothing here could release the lock either.
  const [blocking, other] = [openDatabase(path), new DatabaseSync(path)];
  blocking.exec('pragma busy_timeout = 20');
  other.exec('begin immediate');
  const rejected: string[] = [];
  const timer = new Promise((resolve) => setTimeout(resolve, 0)).then(() => rejected.push('timer'));
  expect(() => transaction(blocking, () => {})).toThrow(/locked/);
  rejected.push('failed');
  await timer;
  expect(rejected).toEqual(['failed', 'timer']);
  other.close();
  blocking.close();
  await store.close();
});

clause('0005.5', async () => {
  const title = 'cut \ud83d';
  const store = sqliteStore({ path });
  await store.append(batch(chat, 0, [text(title)], { head: { title } }));
  expect(await store.chats.head(chat)).toMatchObject({ title });
  expect(await store.events.read(chat, 0)).toMatchObject([{ delta: title }]);
  await store.close();

  const plain = new DatabaseSync(':memory:');
  expect(plain.prepare('select ? as title').get(title)).toEqual({ title: 'cut \ufffd' });
  plain.close();
});
