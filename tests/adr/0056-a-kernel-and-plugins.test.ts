import type { FlowPlugin, PluginParts, Principal } from 'countersign';
import { createFetchHandler } from 'countersign/sse/server';
import { sqliteStore } from 'countersign/store';
import { expect, onTestFinished } from 'vitest';
import { batch, chat, text } from '../contract/store-batches.ts';
import { adr } from '../support/adr.ts';
import { ada, flowFixture } from '../support/flow-fixture.ts';

const { clause } = adr('0056-a-kernel-and-plugins.md');

type Greetings = { greet(request: { principal: Principal }): string };

/** A plugin that says who asks, as a method and at an endpoint. */
function greetings(parts: Partial<PluginParts<Greetings>> = {}): FlowPlugin<'greetings', Greetings> {
  return {
    name: 'greetings',
    setUp: () => ({
      methods: { greet: ({ principal }) => `Hello, ${principal.id}.` },
      endpoints: (route) => [
        { path: '/greetings', methods: { GET: route(async ({ principal }) => Response.json(principal.id)) } },
      ],
      ...parts,
    }),
  };
}

function flowWith<const Plugins extends readonly FlowPlugin[]>(
  plugins: Plugins,
  settings: Parameters<typeof flowFixture>[1] = {},
) {
  const fixture = flowFixture([[{ text: 'Hello.' }]], { ...settings, plugins });
  onTestFinished(() => fixture.flow.close());
  return fixture;
}

const get = (flow: Parameters<typeof createFetchHandler>[0]) =>
  createFetchHandler(flow, { authorize: () => ada })(new Request('http://localhost/api/greetings'));

clause('0056.1', async () => {
  const { flow } = flowWith([greetings()]);
  expect(flow.greetings.greet({ principal: ada })).toBe('Hello, ada.');
  expect(await (await get(flow)).json()).toBe('ada');
  const without = flowWith([]).flow;
  expect(without).not.toHaveProperty('greetings');
  expect((await get(without)).status).toBe(404);
});

clause('0056.2', () => {
  expect(() => flowWith([greetings(), greetings()])).toThrow('Two plugins have the name `greetings`.');
  const other = { ...greetings(), name: 'other' } as const;
  const { flow } = flowWith([greetings(), other]);
  expect(() => createFetchHandler(flow, { authorize: () => ada })).toThrow('GET /greetings');
});

clause('0056.3', async () => {
  const warned: unknown[] = [];
  const swept: string[] = [];
  const failing = greetings({ sweep: () => Promise.reject(new Error('No.')) });
  const other = { ...greetings({ sweep: async () => void swept.push('other') }), name: 'other' } as const;
  const logger = { warn: (_: string, facts?: object) => warned.push(facts), error: () => {} };
  await flowWith([failing, other], { logger }).flow.recover();
  expect(swept).toEqual(['other']);
  expect(warned).toMatchObject([{ plugin: 'greetings' }]);
});

clause('0056.4', async () => {
  const { flow, id, say, view } = flowWith([
    greetings({ beforeErase: () => Promise.reject(new Error('Not yet.')) }),
  ]);
  await say('Hello.');
  await expect(flow.chats.erase({ chatId: id, principal: ada })).rejects.toThrow('Not yet.');
  expect((await view()).messages).toHaveLength(2);
});

clause('0056.5', async () => {
  const { flow } = flowWith([greetings()], { formerIds: { ada: 'ada@example.com' } });
  expect(flow.greetings.greet({ principal: ada })).toBe('Hello, ada@example.com.');
  expect(await (await get(flow)).json()).toBe('ada@example.com');
});

const note = { plugin: 'greetings', kind: 'note', key: 'a', value: 'Hello.' };

function recordStore() {
  const store = sqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  return { store, find: () => store.records.read({ plugin: 'greetings', kind: 'note' }, ['a']) };
}

clause('0056.6', async () => {
  const { store, find } = recordStore();
  const records = [{ ...note, ownerId: 'ada', dueAt: 5 }];
  expect(await store.append({ ...batch(chat, 7, [text()]), records })).toBe('conflict');
  expect(await find()).toEqual([]);
  expect(await store.append({ ...batch(chat, 0, [text()]), records })).toBe('appended');
  const { plugin, kind } = note;
  const found = await find();
  expect(found).toMatchObject([{ ...note, ownerId: 'ada', dueAt: 5, version: 1 }]);
  expect(await store.records.due({ plugin, kind, now: 5, limit: 9 })).toEqual(found);
  expect((await store.records.list({ plugin, kind, ownerId: 'ada', limit: 9 })).items).toEqual(found);
});

clause('0056.7', async () => {
  const { store, find } = recordStore();
  const { value: _, ...id } = note;
  await store.records.write([note]);
  const writes = ['one', 'two'].map((value) => store.records.write([{ ...note, value, expects: 1 }]));
  expect(await Promise.all(writes)).toEqual([undefined, { unexpected: id }]);
  const late = { ...batch(chat, 0, [text()]), records: [{ ...note, expects: 1 }] };
  expect(await store.append(late)).toEqual({ unexpected: id });
  expect(await store.chats.head(chat)).toBeUndefined();
  expect(await find()).toMatchObject([{ value: 'one', version: 2 }]);
  // Rejected: a read before the write. The later writer does not learn of the earlier one.
  await Promise.all(
    ['three', 'four'].map((value) => find().then(() => store.records.write([{ ...note, value }]))),
  );
  expect(await find()).toMatchObject([{ value: 'four', version: 4 }]);
});

clause('0056.8', async () => {
  const { store, find } = recordStore();
  const records = [
    { ...note, ofChat: true },
    { ...note, key: 'b' },
  ];
  await store.append({ ...batch(chat, 0, [text()]), records });
  await store.chats.erase(chat, 'ada', 1);
  expect(await find()).toEqual([]);
  expect(await store.records.drop('greetings')).toBe(1);
});
