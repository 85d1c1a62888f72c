import type { ApprovalFlow } from 'countersign';
import type { FlowPlugin } from 'countersign/plugin';
import { sqliteStore } from 'countersign/store';
import { postgresStore } from 'countersign/store/postgres';
import { fakeClock, type Script } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { parseApprovalId, parseChatId } from '../../lib/protocol/index.ts';
import { connectBidi } from '../support/connect-bidi.ts';
import { connectSse } from '../support/connect-sse.ts';
import { ada, flowFixture, questionIn } from '../support/flow-fixture.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { type ConnectRaw, rawChat } from '../support/raw-client.ts';
import { serveFixture } from '../support/serve-fixture.ts';

const postgres = setUpPostgres();
const stores = {
  SQLite: () => sqliteStore({ path: ':memory:' }),
  Postgres: () => {
    const { connectionString, newSchema } = postgres();
    return postgresStore({ connectionString, schema: newSchema() });
  },
} satisfies Record<string, () => FlowStore>;
const transports: Readonly<Record<string, ConnectRaw>> = { SSE: connectSse, BIDI: connectBidi };
const rows = Object.entries(transports).flatMap(([wire, connect]) =>
  Object.entries(stores).map(([store, open]) => [wire, store, connect, open] as const),
);

const notes: FlowPlugin<'notes'> = {
  name: 'notes',
  asked: () => ({ text: 'Check the account.' }),
  setUp: () => ({ methods: {} }),
};
const pay = (to: string) => [{ call: 'pay', input: { to, amount: 5 } }];
const deadlineMs = 60_000;

/** A chat with a settled and an open question of a plugin, served by an instance that never had it. */
async function withoutPlugin(connect: ConnectRaw, open: () => FlowStore) {
  const store = open();
  const clock = fakeClock();
  const script: Script = [pay('Alice'), [{ text: 'Paid.' }], pay('Bob')];
  const before = flowFixture(script, { store, clock, deadlineMs, plugins: [notes] });
  const settled = questionIn(await before.say('Pay Alice.'));
  await before.answer(settled, true);
  const asked = questionIn(await before.say('Pay Bob.'));
  await before.flow.close();
  const after = await serveFixture([[{ text: 'Here.' }], pay('Carol'), [{ text: 'Done.' }]], {
    ...{ store, clock, deadlineMs, sweepMs: 1e9 },
  });
  const { flow } = after;
  const read = (id: string) => flow.approvals.read({ principal: ada, approvalId: parseApprovalId(id) });
  const view = () => flow.chats.read({ principal: ada, chatId: parseChatId('chat') });
  return { ...after, clock, read, view, settled, asked, client: rawChat(await connect(after.url)) };
}

describe.each(rows)(
  'a chat whose plugin was removed everywhere, over %s on %s',
  (_wire, _store, connect, open) => {
    it('can be read, with what its questions said', async () => {
      const { view, read, settled, asked } = await withoutPlugin(connect, open);
      const { messages, open: id } = await view();
      expect(messages).toHaveLength(4);
      expect(id).toBe(asked);
      for (const each of [settled, asked])
        expect((await read(each)).plugins).toEqual({ notes: { text: 'Check the account.' } });
    });

    it('refuses an approval and names the plugin, and nothing runs', async () => {
      const { client, read, asked, ran } = await withoutPlugin(connect, open);
      await expect(client.answer(asked, true)).rejects.toMatchObject({
        code: 'plugin-missing',
        error: { plugin: 'notes', message: expect.stringContaining('`notes`') },
      });
      expect(await read(asked)).toMatchObject({ state: 'open' });
      expect(ran).toEqual([]);
    });

    it('takes a new message, which replaces the question, and asks again', async () => {
      const { client, read, asked, ran } = await withoutPlugin(connect, open);
      expect(await client.say('Where are you?')).toContainEqual(expect.objectContaining({ delta: 'Here.' }));
      expect(await read(asked)).toMatchObject({ state: 'superseded' });
      const next = questionIn(await client.say('Pay Carol.'));
      await client.answer(next, true);
      expect(ran).toMatchObject([{ input: { to: 'Carol' } }]);
    });

    it('takes a denial, whose run waits for the plugin until it is stopped, and a message then', async () => {
      const { client, flow, read, asked } = await withoutPlugin(connect, open);
      const by = { principal: ada, approvalId: parseApprovalId(asked), via: 'test' };
      expect(await flow.approvals.answer({ ...by, approved: false })).toMatchObject({ state: 'denied' });
      expect(await read(asked)).toMatchObject({ state: 'denied' });
      await expectMessageAfterStop(flow, client);
    });
  },
);

describe.each(Object.entries(transports))(
  'a chat whose plugin was removed everywhere, over %s',
  (_, connect) => {
    it('ends the question at its deadline, and takes a message after a stop', async () => {
      const { client, clock, flow, read, asked } = await withoutPlugin(connect, stores.SQLite);
      clock.advance(deadlineMs + 1);
      await flow.recover();
      expect(await read(asked)).toMatchObject({ state: 'expired' });
      await expectMessageAfterStop(flow, client);
    });
  },
);

async function expectMessageAfterStop({ chats, recover }: ApprovalFlow, client: ReturnType<typeof rawChat>) {
  await expect(client.say('Where are you?')).rejects.toMatchObject({ code: 'run-active' });
  const chat = { principal: ada, chatId: parseChatId('chat') };
  await chats.stop(chat);
  await recover();
  await expect
    .poll(async () => (await chats.timeline(chat)).map(({ type }) => type))
    .toContain('run-cancelled');
  expect(await client.say('Where are you?')).toContainEqual(expect.objectContaining({ delta: 'Here.' }));
}
