import { expect, it } from 'vitest';
import type { FlowStore, PluginRecord, RecordWrite } from '../../lib/log/store/index.ts';
import { parseChatId } from '../../lib/protocol/index.ts';
import { batch, chat, question, text } from './store-batches.ts';
import type { OpenedStore, UseStore } from './store-contract.ts';

const kind = { plugin: 'tides', kind: 'note' };
const record = (key: string, more: Partial<PluginRecord> = {}) => ({
  ...kind,
  key,
  value: `${key}!`,
  ...more,
});
const idOf = (key: string) => ({ ...kind, key });
const keysOf = (records: readonly { readonly key: string }[]) => records.map(({ key }) => key);

async function append(store: FlowStore, records: readonly RecordWrite[], id?: string) {
  const after = (await store.chats.head(chat))?.seq ?? 0;
  return store.append({ ...batch(chat, after, [text()]), records, ...(id && { id }) });
}

/** Records of plugins: written with an append or alone, expected, found, deleted. @source ADR 0056 */
export function recordsContract(use: UseStore): void {
  const find = (...keys: string[]) => use().records.read(kind, keys);

  it('returns a record as it was written, with its version [0056.6]', async () => {
    const whole = record('Zoë \u0000 \ud800', {
      ownerId: 'ana \ud800',
      dueAt: 5,
      sort: -3,
      value: '\u0000 \ud800',
    });
    expect(await use().records.write([whole, record('plain')])).toBeUndefined();
    expect(await find(whole.key, 'unknown')).toEqual([{ ...whole, version: 1 }]);
    expect(await find('plain')).toEqual([{ ...record('plain'), sort: 0, version: 1 }]);
    expect(await find()).toEqual([]);
    expect(await use().records.read({ plugin: 'tides', kind: 'other' }, ['plain'])).toEqual([]);
    await use().records.write([record('plain', { value: 'new', ownerId: 'ana' })]);
    expect(await find('plain')).toMatchObject([{ value: 'new', ownerId: 'ana', version: 2 }]);
  });

  it('writes records with the events of an append, or neither [0056.6]', async () => {
    expect(await append(use(), [{ ...record('a'), ofChat: true }, record('b')])).toBe('appended');
    expect(await find('a', 'b')).toMatchObject([{ chatId: chat }, { version: 1 }]);
    const taken = batch(chat, 0, [text()]);
    expect(await use().append({ ...taken, records: [record('c')] })).toBe('conflict');
    expect(await find('c')).toEqual([]);
  });

  it.each<[string, RecordWrite]>([
    ['is there already', { ...record('known'), expects: 'absent' }],
    ['has another version', { ...record('known'), expects: 2 }],
    ['is missing', { ...record('unknown'), expects: 1 }],
    ['is to be deleted, and has another version', { ...idOf('known'), isDeleted: true, expects: 2 }],
    ['is to be deleted, and is missing', { ...idOf('unknown'), isDeleted: true, expects: 1 }],
  ])('refuses everything with a record that %s, and names it [0056.7]', async (_, write) => {
    await append(use(), [record('known')]);
    const unexpected = { unexpected: idOf(write.key) };
    const first = record('first');
    expect(await append(use(), [first, write])).toEqual(unexpected);
    expect(await use().records.write([first, write])).toEqual(unexpected);
    const asked = { ...batch(chat, 1, [text()], { questions: [question('q')] }), records: [write] };
    expect(await use().append(asked)).toEqual(unexpected);
    expect(await find('first')).toEqual([]);
    expect(await find('known')).toMatchObject([{ value: 'known!', version: 1 }]);
    expect(await use().events.read(chat, 0)).toHaveLength(1);
    expect(await use().questions.lastChange()).toBe(0);
  });

  it('writes and deletes a record that is as expected [0056.7]', async () => {
    expect(await append(use(), [{ ...record('a'), expects: 'absent' }])).toBe('appended');
    expect(await append(use(), [{ ...record('a', { value: 'new' }), expects: 1 }])).toBe('appended');
    expect(await find('a')).toMatchObject([{ value: 'new', version: 2 }]);
    expect(await append(use(), [{ ...idOf('a'), isDeleted: true, expects: 2 }])).toBe('appended');
    expect(await use().records.write([{ ...idOf('a'), isDeleted: true }])).toBeUndefined();
    expect(await find('a')).toEqual([]);
  });

  it('writes a record for each of several chats in one group, and once if all expect the same [0056.7]', async () => {
    const others = Array.from({ length: 6 }, (_, index) => parseChatId(`other-${index}`));
    const appendToAll = (after: number, write: RecordWrite) =>
      Promise.all(others.map((id) => use().append({ ...batch(id, after, [text()]), records: [write] })));
    expect(new Set(await appendToAll(0, record('a')))).toEqual(new Set(['appended']));
    expect(await find('a')).toMatchObject([{ version: 6 }]);
    const outcomes = await appendToAll(1, { ...record('a'), expects: 6 });
    expect(outcomes.filter((outcome) => outcome === 'appended')).toHaveLength(1);
    expect(outcomes.filter((outcome) => typeof outcome === 'object')).toHaveLength(5);
    expect(await find('a')).toMatchObject([{ version: 7 }]);
  });

  it('orders an append that expects a record and its deletion one before the other [0056.7]', async () => {
    for (let round = 0; round < 6; round += 1) {
      await use().records.write([record('a')]);
      const [known] = await find('a');
      const expecting = () => append(use(), [{ ...record('a'), expects: known?.version ?? 0 }]);
      const deleting = () => use().records.write([{ ...idOf('a'), isDeleted: true }]);
      const [used] =
        round % 2
          ? await Promise.all([expecting(), deleting()])
          : (await Promise.all([deleting(), expecting()])).toReversed();
      expect(['appended', { unexpected: idOf('a') }]).toContainEqual(used);
      expect(await find('a')).toEqual([]);
    }
  });

  it('writes the records of a repeated append once', async () => {
    const written = { ...batch(chat, 0, [text()]), id: 'batch-1', records: [record('a')] };
    expect(await use().append(written)).toBe('appended');
    expect(await use().append(written)).toBe('appended');
    expect(await find('a')).toMatchObject([{ version: 1 }]);
  });

  it('lists the records of a person by page, the highest first [0056.6]', async () => {
    const sorts = [1, 2, 2, 3];
    await use().records.write(sorts.map((sort, index) => record(`r${index}`, { ownerId: 'ana', sort })));
    await use().records.write([record('theirs', { ownerId: 'bob', sort: 9 }), record('nobody')]);
    const query = { ...kind, ownerId: 'ana', limit: 2 };
    const first = await use().records.list(query);
    const second = await use().records.list({ ...query, cursor: first.next });
    expect([keysOf(first.items), keysOf(second.items), second.next]).toEqual([
      ['r3', 'r2'],
      ['r1', 'r0'],
      undefined,
    ]);
    expect(keysOf((await use().records.list({ ...query, plugin: 'other' })).items)).toEqual([]);
    await expect(use().records.list({ ...query, cursor: 'x' })).rejects.toMatchObject({
      code: 'invalid-request',
    });
    await use().chats.reassign('ana', 'bob');
    expect(keysOf((await use().records.list({ ...query, ownerId: 'bob' })).items)).toEqual(['theirs', 'r3']);
  });

  it('finds the records that are due, the longest due first [0056.6]', async () => {
    const due = { later: 5_001, due: 5_000, long: 2_000 };
    await use().records.write(Object.entries(due).map(([key, dueAt]) => record(key, { dueAt })));
    await use().records.write([record('never'), { ...record('other', { dueAt: 1 }), kind: 'other' }]);
    expect(keysOf(await use().records.due({ ...kind, now: 5_000, limit: 9 }))).toEqual(['long', 'due']);
    expect(keysOf(await use().records.due({ ...kind, now: 5_000, limit: 1 }))).toEqual(['long']);
  });

  it('deletes records with their chat, or all of a plugin [0056.8]', async () => {
    const others = { ...record('c'), plugin: 'winds' };
    await append(use(), [{ ...record('a'), ofChat: true }, record('b'), others]);
    await use().chats.erase(chat, 'ana', 2_000);
    expect(keysOf(await find('a', 'b'))).toEqual(['b']);
    expect(await use().records.drop('tides')).toBe(1);
    expect(await find('b')).toEqual([]);
    expect(await use().records.read({ plugin: 'winds', kind: 'note' }, ['c'])).toHaveLength(1);
  });
}

/** Two instances write the same record at the same moment. */
export function sharedRecordsContract(use: () => OpenedStore): void {
  it('lets one of two instances create a record, and one of two change it [0056.7]', async () => {
    const stores = [use().store, await use().peer()];
    for (const expects of ['absent', 1, 2] as const) {
      const writes = stores.map((store, index) =>
        store.records.write([{ ...record('a', { value: `${index}` }), expects }]),
      );
      const outcomes = await Promise.all(writes);
      expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1);
      expect(outcomes).toContainEqual({ unexpected: idOf('a') });
      const [kept] = await use().store.records.read(kind, ['a']);
      expect(outcomes[Number(kept?.value)]).toBeUndefined();
    }
  });
}
