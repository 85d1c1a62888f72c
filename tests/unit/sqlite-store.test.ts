// depends on: only its imports
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseChatId } from '../../lib/protocol/index.ts';
import { sqliteStore } from '../../lib/stores/index.ts';
import { append, appendTogether } from '../../lib/stores/sqlite/append.ts';
import { openDatabase } from '../../lib/stores/sqlite/database.ts';
import { migrate, migrations } from '../../lib/stores/sqlite/migrations.ts';
import { prepareStatements } from '../../lib/stores/sqlite/statements.ts';
import { batch, chat, question, text } from '../contract/store-batches.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-sqlite-'));
  path = join(folder, 'store.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Looks at the file with a connection of its own. */
function inspect<Result>(look: (db: DatabaseSync) => Result): Result {
  const db = new DatabaseSync(path);
  try {
    return look(db);
  } finally {
    db.close();
  }
}

describe('opening', () => {
  it.each([
    ['journal_mode', 'wal'],
    ['synchronous', 2],
    ['busy_timeout', 0],
    ['foreign_keys', 1],
    ['secure_delete', 1],
  ])('sets %s to %s', (pragma, value) => {
    const db = openDatabase(path);
    expect(Object.values(db.prepare(`pragma ${pragma}`).get() ?? {})).toEqual([value]);
    db.close();
  });

  it('creates missing folders, which no one else can read', async () => {
    const store = sqliteStore({ path: join(folder, 'a', 'b', 'store.db') });
    await store.close();
    expect(readdirSync(join(folder, 'a', 'b'))).toEqual(['store.db']);
    expect(statSync(join(folder, 'a', 'b')).mode & 0o777).toBe(0o700);
  });

  it('refuses a database of a newer version, names both versions, and changes nothing', () => {
    openDatabase(path).close();
    inspect((db) => db.exec('pragma user_version = 99'));
    expect(() => sqliteStore({ path })).toThrow(
      expect.objectContaining({
        name: 'CountersignError',
        message: expect.stringMatching(new RegExp(`schema 99.*up to ${migrations.length}.*Upgrade`)),
        fields: { schema: 99, known: migrations.length },
      }),
    );
    expect(inspect((db) => db.prepare('pragma user_version').get())).toEqual({ user_version: 99 });
  });

  it.each<[string, RegExp, () => void]>([
    [
      'a file that is not a database',
      /store\.db.*not a database/,
      () => writeFileSync(path, randomBytes(8_192)),
    ],
    ['a folder', /store\.db.*unable to open/, () => mkdirSync(path)],
    [
      'tables of another program',
      /store\.db.*already exists/,
      () => inspect((db) => db.exec('create table events (id)')),
    ],
  ])('reports the reason if it finds %s', (_, message, prepare) => {
    prepare();
    expect(() => sqliteStore({ path })).toThrow(
      expect.objectContaining({ name: 'CountersignError', message: expect.stringMatching(message) }),
    );
  });

  it('reports the reason if the folder cannot be created', () => {
    writeFileSync(join(folder, 'file'), '');
    const inAFile = join(folder, 'file', 'store.db');
    expect(() => sqliteStore({ path: inAFile })).toThrow(/store\.db cannot be opened: .*(ENOTDIR|EEXIST)/);
  });

  it('keeps the database’s message as the cause when a request fails', async () => {
    const store = sqliteStore({ path });
    inspect((db) => db.exec('drop table events'));
    await expect(store.events.read(chat, 0)).rejects.toMatchObject({
      code: 'internal',
      message: 'The store failed. Trying again is safe.',
      cause: expect.objectContaining({ message: expect.stringContaining('no such table') }),
    });
    await store.close();
  });
});

describe('migrating', () => {
  const steps = [...migrations, 'create table later (a)', 'alter table later add column b'];

  it('migrates any older schema to the newest, keeping its data', async () => {
    const store = sqliteStore({ path });
    await store.append(batch(chat, 0, [text()]));
    await store.close();
    inspect((db) => {
      migrate(db, steps);
      expect(db.prepare('pragma user_version').get()).toEqual({ user_version: steps.length });
      expect(db.prepare('select count(*) as n from events').get()).toEqual({ n: 1 });
      expect(db.prepare('select a, b from later').all()).toEqual([]);
      migrate(db, steps);
    });
  });

  it('makes all missing migrations or none', () => {
    inspect((db) => {
      expect(() => migrate(db, [...steps, 'create nonsense'])).toThrow(/nonsense/);
      expect(db.prepare('pragma user_version').get()).toEqual({ user_version: 0 });
      expect(db.prepare('select name from sqlite_schema').all()).toEqual([]);
    });
  });
});

describe('erasing', () => {
  const secret = 'the secret of Alice '.repeat(300);
  const files = () => readdirSync(folder).map((file) => readFileSync(join(folder, file)));

  it('leaves no byte of the content in any file, and a record without content', async () => {
    const store = sqliteStore({ path });
    const asked = question('q', { description: secret });
    await store.append(batch(chat, 0, [text(secret), text('short secret')], { questions: [asked] }));
    expect(files().some((file) => file.includes('secret'))).toBe(true);
    await store.chats.erase(chat, 'ana', 5_000);
    expect(files().some((file) => file.includes('secret'))).toBe(false);
    const records = inspect((db) => db.prepare('select * from erasures').all());
    expect(records).toEqual([{ erasure: 1, chat_id: 'chat-1', erased_by: '"ana"', at: 5_000, record: null }]);
    await store.close();
  });

  it('records nothing if there was nothing to erase', async () => {
    const store = sqliteStore({ path });
    await store.chats.erase(chat, 'ana', 5_000);
    expect(inspect((db) => db.prepare('select * from erasures').all())).toEqual([]);
    await store.close();
  });
});

describe('closing', () => {
  it('leaves one file, which contains everything', async () => {
    const store = sqliteStore({ path });
    await store.append(batch(chat, 0, [text()]));
    expect(existsSync(`${path}-wal`)).toBe(true);
    await store.close();
    expect(readdirSync(folder)).toEqual(['store.db']);
  });
});

describe('failing', () => {
  it('writes nothing of a batch that does not fit on the disk, and continues with one that does', () => {
    const db = openDatabase(path);
    const statements = prepareStatements(db);
    append(db, statements, batch(chat, 0, [text()]));
    db.exec('pragma max_page_count = 60');
    const large = batch(chat, 1, [text(), text('x'.repeat(1_000_000))], { questions: [question('q')] });
    expect(() => append(db, statements, large)).toThrow(/full/);
    expect(db.prepare('select count(*) as n from events').get()).toEqual({ n: 1 });
    expect(db.prepare('select count(*) as n from questions').get()).toEqual({ n: 0 });
    expect(append(db, statements, batch(chat, 1, [text()]))).toBe('appended');
    db.close();
  });

  it('writes the other batches of a group when one does not fit on the disk', async () => {
    const db = openDatabase(path);
    const statements = prepareStatements(db);
    db.exec('pragma max_page_count = 60');
    const large = batch(chat, 0, [text('x'.repeat(1_000_000))], { questions: [question('q')] });
    const others = ['b', 'c'].map((id) => batch(parseChatId(id), 0, [text()]));
    const outcomes = appendTogether(db, statements, [...others.slice(0, 1), large, ...others.slice(1)]);
    expect(await Promise.allSettled(outcomes)).toEqual([
      { status: 'fulfilled', value: 'appended' },
      { status: 'rejected', reason: expect.objectContaining({ message: expect.stringContaining('full') }) },
      { status: 'fulfilled', value: 'appended' },
    ]);
    expect(db.prepare('select id from chats order by id').all()).toEqual([{ id: 'b' }, { id: 'c' }]);
    db.close();
  });

  it('waits once for another process’s write, however many batches are waiting', () => {
    const db = openDatabase(path);
    const statements = prepareStatements(db);
    db.exec('pragma busy_timeout = 1');
    const other = new DatabaseSync(path);
    other.exec('begin immediate');
    const batches = ['a', 'b', 'c'].map((id) => batch(parseChatId(id), 0, [text()]));
    const executed = vi.spyOn(db, 'exec');
    expect(() => appendTogether(db, statements, batches)).toThrow(/locked/);
    expect(executed.mock.calls.flat()).toEqual(['begin immediate']);
    other.exec('rollback');
    expect(appendTogether(db, statements, batches)).toEqual(['appended', 'appended', 'appended']);
    other.close();
    db.close();
  });

  it('logs a listener that threw, with ids only', async () => {
    const logger = { warn: vi.fn(), error: vi.fn() };
    const store = sqliteStore({ path, logger });
    store.subscribe(() => {
      throw new Error('careless');
    });
    const told = new Promise((resolve) => store.subscribe(resolve));
    await store.append(batch(chat, 0, [text()]));
    await told;
    expect(logger.error).toHaveBeenCalledExactlyOnceWith(expect.any(String), {
      chatId: 'chat-1',
      reason: 'append',
      seq: 1,
      error: 'Error: careless',
    });
    await store.close();
  });
});
