// depends on: only its imports
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { parseChatId } from '../../lib/protocol/index.ts';
import { sqliteStore } from '../../lib/stores/index.ts';
import { batch, chat, run, started, text } from '../contract/store-batches.ts';

let folder: string;
let path: string;
let store: FlowStore;
/** Simulates another process. */
let other: DatabaseSync;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-locks-'));
  path = join(folder, 'store.db');
  store = sqliteStore({ path });
  await store.append(batch(chat, 0, [text()], { lease: { owner: 'gone', until: 1 } }));
  other = new DatabaseSync(path);
});
afterEach(async () => {
  other.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

const timer = () => new Promise((resolve) => setTimeout(resolve, 0));

/** Lets timers of this process fire while the other one holds its lock, then releases the lock. */
async function holdThrough(order: unknown[], end: 'commit' | 'rollback' = 'commit'): Promise<void> {
  for (let fired = 0; fired < 3; fired += 1) {
    await timer();
    order.push('timer');
  }
  other.exec(end);
  order.push('released');
}

describe('while another process holds the write lock', () => {
  it.each<[string, (store: FlowStore) => Promise<unknown>]>([
    ['append', (each) => each.append(batch(chat, 1, [text()]))],
    ['rename', (each) => each.chats.rename(chat, 'Payments')],
    ['erase', (each) => each.chats.erase(chat, 'ana', 2_000, 'the record')],
    ['writeRecords', (each) => each.records.write([{ plugin: 'p', kind: 'k', key: 'a', value: '' }])],
    ['claimLease', (each) => each.runs.claimLease(chat, { owner: 'here', until: 9_000 }, 2_000)],
    ['requestStop', (each) => each.runs.requestStop(chat, run())],
    [
      'announce',
      (each) => each.instances.announce({ id: 'here', until: 2_000, outdated: {}, plugins: [] }, 1_000),
    ],
    ['retire', (each) => each.instances.retire('here')],
    ['dropRecords', (each) => each.erasures.drop({ before: 9_000 })],
  ])('%s waits without delaying timers, and succeeds afterwards', async (name, call) => {
    other.exec('begin immediate');
    const order: string[] = [];
    const called = call(store).then(() => order.push(name));
    await holdThrough(order);
    await called;
    expect(order).toEqual(['timer', 'timer', 'timer', 'released', name]);
  });

  it('reads continue', async () => {
    other.exec('begin immediate');
    expect(await store.events.read(chat, 0)).toHaveLength(1);
    expect(await store.chats.head(chat)).toMatchObject({ seq: 1 });
    other.exec('rollback');
  });

  it('a file that is up to date can be opened', async () => {
    other.exec('begin immediate');
    const late = sqliteStore({ path });
    expect(await late.chats.head(chat)).toMatchObject({ seq: 1 });
    await late.close();
    other.exec('rollback');
  });

  it('appends wait together, and are written in the order in which they arrived', async () => {
    const claimed = parseChatId('claimed');
    await store.append(batch(claimed, 0, [started('call-1')]));
    other.exec('begin immediate');
    const order: string[] = [];
    const note = (name: string) => (result: unknown) => order.push(`${name} ${result}`);
    const appends = [
      store.append(batch(chat, 1, [text('one')])).then(note('first')),
      store.append(batch(claimed, 1, [started('call-1')])).then(note('claim')),
      store.append(batch(chat, 2, [text('two')])).then(note('second')),
    ];
    await holdThrough(order);
    appends.push(store.append(batch(chat, 3, [text('three')])).then(note('third')));
    await Promise.all(appends);
    expect(order.filter((each) => each !== 'timer')).toEqual([
      'released',
      'first appended',
      'claim conflict',
      'second appended',
      'third appended',
    ]);
    expect(await store.events.read(chat, 1)).toMatchObject([
      { delta: 'one' },
      { delta: 'two' },
      { delta: 'three' },
    ]);
  });

  it('a store that is closed first writes what was requested before', async () => {
    other.exec('begin immediate');
    const order: unknown[] = [];
    const appending = store.append(batch(chat, 1, [text()])).then((result) => order.push(result));
    const renaming = store.chats.rename(chat, 'Payments').then(() => order.push('renamed'));
    const closing = store.close().then(() => order.push('closed'));
    await holdThrough(order);
    await Promise.all([appending, renaming, closing]);
    expect(order.slice(-3).toSorted()).toEqual(['appended', 'closed', 'renamed']);
    expect(order.at(-1)).toBe('closed');
    const later = sqliteStore({ path });
    expect(await later.chats.head(chat)).toMatchObject({ seq: 2, title: 'Payments' });
    await later.close();
  });

  it('a call that has waited too long fails with a transient error', async () => {
    const impatient = sqliteStore({ path, retryMs: 0 });
    other.exec('begin immediate');
    const failure = {
      code: 'internal',
      message: 'The store failed. Trying again is safe.',
      transient: true,
    };
    await expect(impatient.append(batch(chat, 1, [text()]))).rejects.toMatchObject(failure);
    await expect(impatient.chats.rename(chat, 'Payments')).rejects.toMatchObject(failure);
    other.exec('rollback');
    expect(await impatient.append(batch(chat, 1, [text()]))).toBe('appended');
    await impatient.close();
  });
});

describe('while another process reads from the write-ahead log', () => {
  const secret = 'the secret of Alice';
  const legible = () => readdirSync(folder).some((file) => readFileSync(join(folder, file)).includes(secret));
  const read = () => {
    other.exec('begin');
    other.prepare('select count(*) from events').get();
  };

  it('an erasure ends after its text is gone from the log, and delays no timer until then', async () => {
    await store.append(batch(chat, 1, [text(secret)]));
    read();
    const order: string[] = [];
    const erasing = store.chats.erase(chat, 'ana', 2_000).then(() => order.push('erased'));
    await timer();
    expect(await store.chats.head(chat)).toBeUndefined();
    expect(legible()).toBe(true);
    await holdThrough(order);
    await erasing;
    expect(order).toEqual(['timer', 'timer', 'timer', 'released', 'erased']);
    expect(legible()).toBe(false);
  });

  it('an erasure that reaches its time limit warns that its text may still be there', async () => {
    const logger = { warn: vi.fn(), error: vi.fn() };
    const impatient = sqliteStore({ path, retryMs: 0, logger });
    read();
    await impatient.chats.erase(chat, 'ana', 2_000);
    expect(await impatient.chats.head(chat)).toBeUndefined();
    expect(logger.warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('write-ahead log'), {});
    other.exec('commit');
    await impatient.close();
  });
});

it('a dropped record leaves no byte in any file', async () => {
  const files = () => readdirSync(folder).map((file) => readFileSync(join(folder, file)));
  await store.chats.erase(chat, 'ana', 2_000, 'the kept record '.repeat(500));
  expect(files().some((file) => file.includes('kept record'))).toBe(true);
  expect(await store.erasures.drop({ chatId: chat })).toBe(1);
  expect(files().some((file) => file.includes('kept record'))).toBe(false);
  const rows = other.prepare('select chat_id, erased_by, at, record from erasures').all();
  expect(rows).toEqual([{ chat_id: 'chat-1', erased_by: '"ana"', at: 2_000, record: null }]);
});
