import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { parseChatId } from '../../lib/protocol/index.ts';
import { postgresStore } from '../../lib/stores/index.ts';
import { stopMonotonicClock } from '../support/monotonic-clock.ts';
import { setUpOwnPostgres } from '../support/postgres/postgres.ts';
import { type PostgresProxy, startProxy } from '../support/postgres/proxy.ts';
import { waitFor } from '../support/wait-for.ts';
import { answered, approval, batch, chat, idsOf, question, started, text } from './store-batches.ts';

const postgres = setUpOwnPostgres();
let proxy: PostgresProxy;
let schema: string;
/** Two instances: the first reaches the server by way of the proxy, the second always. */
let here: FlowStore;
let there: FlowStore;

beforeEach(async () => {
  const { connectionString, newSchema } = postgres();
  schema = newSchema();
  proxy = await startProxy(connectionString);
  here = postgresStore({ connectionString: proxy.connectionString, schema });
  there = postgresStore({ connectionString, schema });
  await here.chats.head(chat);
  await there.append(batch(chat, 0, [text('first')]));
});
afterEach(async () => {
  await proxy.close();
  await here.close();
  await there.close();
});

describe('an append whose connection breaks', () => {
  const claiming = batch(chat, 1, [started('call-1'), text()], { questions: [question('q')] });

  it.each([
    ['after it was written', 'reply', 'an existing chat', claiming],
    ['before it was written', 'request', 'an existing chat', claiming],
    ['after it was written', 'reply', 'a new chat', batch(parseChatId('new'), 0, [answered('q')])],
    ['before it was written', 'request', 'a new chat', batch(parseChatId('new'), 0, [answered('q')])],
  ] as const)('%s is written, once (%s lost, %s)', async (_, lost, _chat, next) => {
    const struck = proxy.lose(lost, 'countersign append');
    const appending = here.append(next);
    await struck;
    expect((await there.events.read(next.chatId, next.after)).length).toBe(
      lost === 'reply' ? next.events.length : 0,
    );
    proxy.accept();
    expect(await appending).toBe('appended');
    expect(await there.events.read(next.chatId, next.after)).toEqual(next.events);
    expect(idsOf((await there.questions.list({ state: 'open', limit: 9 })).items)).toEqual(
      idsOf(next.questions),
    );
  });

  it('is written, once, with everything that was sent together with it', async () => {
    const chats = Array.from({ length: 12 }, (_, index) => parseChatId(`with-${index}`));
    const struck = proxy.lose('reply', 'countersign append skip');
    const appending = chats.map((id) => here.append(batch(id, 0, [answered('q'), text()])));
    await struck;
    expect(await Promise.all(chats.map((id) => there.events.read(id, 0)))).toEqual(
      chats.map((id) => batch(id, 0, [answered('q'), text()]).events),
    );
    proxy.accept();
    expect(await Promise.all(appending)).toEqual(chats.map(() => 'appended'));
    for (const id of chats) expect(await there.events.read(id, 0)).toHaveLength(2);
  });

  it('is written, even if others continued from it before the store could check', async () => {
    const struck = proxy.lose('reply', 'countersign append');
    const appending = here.append(claiming);
    await struck;
    expect(await there.append(batch(chat, 3, [text('next')]))).toBe('appended');
    proxy.accept();
    expect(await appending).toBe('appended');
    expect(await there.events.read(chat, 0)).toHaveLength(4);
  });

  it('conflicts when another append took its position, even with the same events', async () => {
    const struck = proxy.lose('request', 'countersign append');
    const appending = here.append(claiming);
    await struck;
    expect(await there.append(claiming)).toBe('appended');
    proxy.accept();
    expect(await appending).toBe('conflict');
    expect(await there.events.read(chat, 1)).toEqual(claiming.events);
  });

  it('conflicts when the chat was erased before the store could check', async () => {
    const struck = proxy.lose('reply', 'countersign append');
    const appending = here.append(claiming);
    await struck;
    await there.chats.erase(chat, 'ana', 2_000);
    proxy.accept();
    expect(await appending).toBe('conflict');
    expect(await there.chats.head(chat)).toBeUndefined();
  });
});

describe('an append that fails and is retried by its caller', () => {
  const claiming = batch(chat, 1, [started('call-1'), text()], { id: 'batch-1', questions: [question('q')] });
  let impatient: FlowStore;
  beforeEach(async () => {
    impatient = postgresStore({ connectionString: proxy.connectionString, schema, retryMs: 0 });
    await impatient.chats.head(chat);
  });
  afterEach(() => impatient.close());

  it.each([
    ['was written', 'reply'],
    ['was not written', 'request'],
  ] as const)('is written, once, when it %s', async (_, lost) => {
    const struck = proxy.lose(lost, 'countersign append');
    const failing = expect(impatient.append(claiming)).rejects.toMatchObject({
      code: 'internal',
      transient: true,
    });
    await struck;
    await failing;
    proxy.accept();
    expect(await impatient.append(claiming)).toBe('appended');
    expect(await there.events.read(chat, 1)).toEqual(claiming.events);
    expect(await there.questions.lastChange()).toBe(1);
  });

  it('conflicts without an id, because nothing shows that it is the same append', async () => {
    const { id: _id, ...plain } = claiming;
    const struck = proxy.lose('reply', 'countersign append');
    const failing = expect(impatient.append(plain)).rejects.toMatchObject({ transient: true });
    await struck;
    await failing;
    proxy.accept();
    expect(await impatient.append(plain)).toBe('conflict');
  });
});

describe('a server that refuses for a while', () => {
  /** A store whose connections begin with a setting. */
  const withSetting = (setting: string, retryMs: number) => {
    const url = new URL(postgres().connectionString);
    url.searchParams.set('options', `-c ${setting}`);
    return postgresStore({ connectionString: url.href, schema, retryMs });
  };

  it('reports a transient error for an append when it is read-only', async () => {
    const standby = withSetting('default_transaction_read_only=on', 0);
    expect(await standby.chats.head(chat)).toMatchObject({ seq: 1 });
    await expect(standby.append(batch(chat, 1, [text()]))).rejects.toMatchObject({
      code: 'internal',
      transient: true,
      cause: expect.objectContaining({ code: '25006' }),
    });
    await standby.close();
  });

  it('reports a permanent error when the schema is wrong', async () => {
    await postgres().query(`drop table ${schema}.events`);
    await expect(there.events.read(chat, 0)).rejects.toMatchObject({ code: 'internal', transient: false });
  });

  it('is retried when a row was locked for too long', async () => {
    const store = withSetting('lock_timeout=20', 10_000);
    await store.chats.head(chat);
    const holder = new pg.Client({ connectionString: postgres().connectionString });
    await holder.connect();
    await holder.query('begin');
    await holder.query(`select from ${schema}.chats for update`);
    const queries = vi.spyOn(pg.Client.prototype, 'query');
    const appending = store.append(batch(chat, 1, [text()]));
    // The first does not wait, the second is refused: a fourth means that it was asked again, twice.
    await waitFor(() => expect(queries.mock.calls.length).toBeGreaterThan(3));
    queries.mockRestore();
    await holder.query('commit');
    expect(await appending).toBe('appended');
    await holder.end();
    await store.close();
  });
});

it('grants a lease once, even if the reply was lost', async () => {
  const { restore } = stopMonotonicClock();
  await there.append(batch(chat, 1, [text()], { lease: { owner: 'gone', until: 2_000 } }));
  restore();
  const struck = proxy.lose('reply', 'countersign claimLeases');
  const claiming = here.runs.claimLease(chat, { owner: 'here', until: 9_000 }, 3_000);
  await struck;
  expect(await there.runs.claimLease(chat, { owner: 'there', until: 9_000 }, 3_000)).toBe(false);
  proxy.accept();
  expect(await claiming).toBe(true);
});

describe('a server that cannot be reached', () => {
  it('is waited for no longer than `retryMs`', async () => {
    const impatient = postgresStore({ connectionString: proxy.connectionString, schema, retryMs: 0 });
    await impatient.chats.head(chat);
    proxy.refuse();
    await expect(impatient.append(batch(chat, 1, [text()]))).rejects.toMatchObject({
      code: 'internal',
      message: 'The store failed. Trying again is safe.',
    });
    proxy.accept();
    expect(await impatient.append(batch(chat, 1, [text()]))).toBe('appended');
    await impatient.close();
  });

  it('is not waited for by a store that is closed while it opens', async () => {
    const { connectionString, newSchema } = postgres();
    const store = postgresStore({ connectionString, schema: newSchema() });
    const opening = store.chats.head(chat);
    await store.close();
    await expect(opening).rejects.toMatchObject({ code: 'internal' });
  });

  it('is not waited for by a store that is closed', async () => {
    proxy.refuse();
    const reading = expect(here.events.read(chat, 0)).rejects.toThrow(/failed/);
    await here.close();
    await reading;
  });

  it('is waited for by a store that opens during the server’s start-up', async () => {
    await postgres().halt();
    const early = postgresStore({ connectionString: postgres().connectionString, schema });
    const heading = early.chats.head(chat);
    await postgres().start();
    expect(await heading).toMatchObject({ seq: 1 });
    await early.close();
  });
});

it('loses and duplicates no events of eight runs when the server restarts during them', async () => {
  const length = 40;
  const chats = Array.from({ length: 8 }, (_, index) => parseChatId(`run-${index}`));
  const midway = Promise.withResolvers<void>();
  const runs = chats.map(async (chatId, index) => {
    const store = index % 2 === 0 ? here : there;
    for (let after = 0; after < length; after += 1) {
      if (after === length / 2) midway.resolve();
      const next = batch(chatId, after, [started(`call-${after}`)], {
        questions: [question(`${chatId}-${after}`, { chatId })],
      });
      expect(await store.append(next)).toBe('appended');
    }
  });
  await midway.promise;
  await postgres().halt();
  await postgres().start();
  await Promise.all(runs);
  for (const chatId of chats) {
    const log = await there.events.read(chatId, 0);
    expect(log.map(({ seq }) => seq)).toEqual(Array.from({ length }, (_, index) => index + 1));
  }
  const changes = await there.questions.changes(0, 1_000);
  expect(changes).toHaveLength(length * chats.length);
});

it('shows a feed reader every change of sixteen writers, each once, in one order', async () => {
  const writers = 16;
  const rounds = 20;
  const writing = Array.from({ length: writers }, async (_, writer) => {
    const chatId = parseChatId(`writer-${writer}`);
    const store = writer % 2 === 0 ? here : there;
    for (let round = 0; round < rounds; round += 1) {
      const id = `${chatId}-${round}`;
      await store.append(batch(chatId, round, [text()], { questions: [question(id, { chatId })] }));
    }
  });
  const follow = async (store: FlowStore) => {
    const seen: { change: number; id: string }[] = [];
    let after = 0;
    while (seen.length < writers * rounds) {
      const page = await store.questions.changes(after, 7);
      seen.push(...page.map((each) => ({ change: each.change, id: each.question.id })));
      after = page.at(-1)?.change ?? after;
    }
    return seen;
  };
  const [first, second] = await Promise.all([follow(here), follow(there), ...writing]);
  expect(first?.map(({ change }) => change)).toEqual(
    Array.from({ length: writers * rounds }, (_, index) => index + 1),
  );
  expect(new Set(first?.map(({ id }) => id)).size).toBe(writers * rounds);
  expect(second).toEqual(first);
  expect(await there.questions.lastChange()).toBe(writers * rounds);
  expect(await there.questions.read(approval('writer-0-0'))).toBeDefined();
});
