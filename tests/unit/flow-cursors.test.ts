import { describe, expect, it, vi } from 'vitest';
import { CountersignError } from '../../lib/protocol/index.ts';
import { visiblePage } from '../../lib/rights/visible-page.ts';
import { createCursors } from '../../lib/views/questions/cursors.ts';

const ada = { id: 'ada', name: 'Ada' };
const eve = { id: 'eve', name: 'Eve' };
const refused = { code: 'invalid-request' };

const counted = () => {
  let count = 0;
  return () => String(++count);
};
const keyOf = (byte: number) => ({ cursorKey: async () => new Uint8Array(32).fill(byte) });
const cursorsOf = (byte = 1) => createCursors(keyOf(byte), counted());

describe('a cursor', () => {
  it.each(['', '0', '1893456000000.17', 'ü'.repeat(40), 'x'.repeat(65_535)])(
    'opens as it was sealed, on every instance, and is the same text each time',
    async (place) => {
      const sealed = await cursorsOf().seal('chats', ada, place);
      expect(await cursorsOf().open('chats', ada, sealed)).toBe(place);
      expect(await cursorsOf().seal('chats', ada, place)).toBe(sealed);
    },
  );

  it('has one length for all places that a store of ours gives', async () => {
    const places = ['0', '17', '1893456000000.1', '-9007199254740991.9007199254740991', 'x'.repeat(62)];
    const sealed = await Promise.all(places.map((place) => cursorsOf().seal('feed', ada, place)));
    expect(sealed.map(({ length }) => length)).toEqual(places.map(() => 107));
  });

  it('differs from another in all of its characters, by nearly as many as chance would have it', async () => {
    const { seal } = cursorsOf();
    const [one = '', two = ''] = await Promise.all(['41', '42'].map((place) => seal('feed', ada, place)));
    const same = [...one].filter((character, index) => character === two[index]);
    expect(same.length).toBeLessThan(20);
  });

  it('is another text each time where others’ activity moves the place', async () => {
    const { sealAnew, open } = cursorsOf();
    const [one, two] = [await sealAnew('feed', ada, '41'), await sealAnew('feed', ada, '41')];
    expect(one).not.toBe(two);
    expect(one).toHaveLength(two.length);
    expect(await open('feed', ada, two)).toBe('41 2');
  });

  it('is refused when it is of another list, person or key, or was changed anywhere', async () => {
    const { seal, open } = cursorsOf();
    const sealed = await seal('chats', ada, '1893456000000.17');
    await expect(open('remembered', ada, sealed)).rejects.toMatchObject(refused);
    await expect(open('chats', eve, sealed)).rejects.toMatchObject(refused);
    await expect(cursorsOf(2).open('chats', ada, sealed)).rejects.toMatchObject(refused);
    for (let index = 0; index < 80; index += 1) {
      const bytes = Buffer.from(sealed, 'base64url');
      bytes[index] = (bytes[index] ?? 0) ^ 1;
      await expect(open('chats', ada, bytes.toString('base64url'))).rejects.toMatchObject(refused);
    }
    const old = Buffer.from('1893456000000.17').toString('base64url');
    for (const none of ['', '17', old, sealed.slice(0, 50), sealed.repeat(2), 'Ж']) {
      await expect(open('chats', ada, none)).rejects.toMatchObject(refused);
    }
  });

  it('asks the store for its key once, and again when that failed', async () => {
    const cursorKey = vi
      .fn<() => Promise<Uint8Array>>()
      .mockRejectedValueOnce(new CountersignError('internal', 'The store failed.'))
      .mockResolvedValue(new Uint8Array(32));
    const { seal } = createCursors({ cursorKey }, counted());
    await expect(seal('chats', ada, '1')).rejects.toMatchObject({ code: 'internal' });
    await Promise.all([seal('chats', ada, '1'), seal('chats', ada, '2')]);
    expect(cursorKey).toHaveBeenCalledTimes(2);
  });
});

describe('a page of what may be seen', () => {
  /** Rows 1 to `count`, of which those that `isSeen` names are shown; the cursor behind a row is its number. */
  const listOf = (count: number, isSeen: (row: number) => boolean) => {
    const asked: number[] = [];
    const page = (limit: number, cursor?: string) =>
      visiblePage<number, number>(
        { limit, ...(cursor !== undefined && { cursor }) },
        async ({ cursor: from = '0', limit: size }) => {
          asked.push(size);
          const all = Array.from({ length: count }, (_, index) => index + 1).filter(
            (row) => row > Number(from),
          );
          const items = all.slice(0, size);
          const next = all.length > size ? { next: String(items.at(-1)) } : {};
          return { items, cursors: items.map(String), ...next };
        },
        async (found) => found.map((row) => (isSeen(row) ? row : undefined)),
      );
    return { page, asked };
  };

  it.each<[string, number, (row: number) => boolean, object]>([
    ['ends without a cursor where nothing is seen', 500, () => false, { items: [] }],
    ['ends without a cursor behind the last row that is seen', 500, (row) => row < 3, { items: [1, 2] }],
    [
      'is full, however far apart the rows are',
      500,
      (row) => row % 100 === 0,
      { items: [100, 200], next: '200' },
    ],
    ['is one row long where one is seen', 500, (row) => row === 499, { items: [499] }],
    ['has a cursor behind its last row', 5, () => true, { items: [1, 2], next: '2' }],
    ['has none where all is shown', 2, () => true, { items: [1, 2] }],
    ['is empty where there is nothing', 0, () => true, { items: [] }],
  ])('%s', async (_name, count, isSeen, wanted) => {
    expect(await listOf(count, isSeen).page(2)).toEqual(wanted);
  });

  it('shows every row once, page by page, whatever lies between', async () => {
    const isSeen = (row: number) => [3, 4, 77, 300, 301, 302, 999].includes(row);
    const { page } = listOf(1_000, isSeen);
    const shown: number[] = [];
    let cursor: string | undefined;
    do {
      const { items, next } = await page(2, cursor);
      shown.push(...items);
      cursor = next;
    } while (cursor !== undefined);
    expect(shown).toEqual([3, 4, 77, 300, 301, 302, 999]);
  });

  it('asks for one row more than it shows where all of them are seen', async () => {
    const { page, asked } = listOf(1_000, () => true);
    await page(50);
    expect(asked).toEqual([51]);
  });
});
