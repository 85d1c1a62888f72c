import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { inspect } from 'node:util';
import pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { type ChatId, parseChatId } from '../../lib/protocol/index.ts';
import { type PostgresStoreSettings, postgresStore } from '../../lib/stores/index.ts';
import { migrate, migrations } from '../../lib/stores/postgres/migrations.ts';
import { stopMonotonicClock } from '../support/monotonic-clock.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { password } from '../support/postgres/server.ts';
import { waitFor } from '../support/wait-for.ts';
import { approval, batch, chat, imported, question, run, started, text } from './store-batches.ts';

const postgres = setUpPostgres();
const stores: FlowStore[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const store of stores.splice(0)) await store.close();
});

function open(settings: Partial<PostgresStoreSettings> = {}): FlowStore {
  const { connectionString, newSchema } = postgres();
  const store = postgresStore({ connectionString, schema: newSchema(), ...settings });
  stores.push(store);
  return store;
}

const versionsOf = (schema: string) => postgres().query(`select version from ${schema}.schema_version`);

describe('migrating', () => {
  it('creates the schema once when eight instances open at the same moment', async () => {
    const schema = postgres().newSchema();
    const heads = await Promise.all(Array.from({ length: 8 }, () => open({ schema }).chats.head(chat)));
    expect(heads).toEqual(Array(8).fill(undefined));
    expect(await versionsOf(schema)).toEqual([{ version: migrations.length }]);
    expect(await postgres().query(`select last::int from ${schema}.feed`)).toEqual([{ last: 0 }]);
  });

  it('uses its own schema, and finds it again', async () => {
    const schema = postgres().newSchema();
    await open({ schema }).append(batch(chat, 0, [text()]));
    expect(await open().chats.head(chat)).toBeUndefined();
    expect(await open({ schema }).chats.head(chat)).toBeDefined();
    const elsewhere = await postgres().query("select tablename from pg_tables where schemaname = 'public'");
    expect(elsewhere).toEqual([]);
  });

  it('migrates an older version to the newest and keeps its data, or changes nothing', async () => {
    const schema = postgres().newSchema();
    await open({ schema }).append(batch(chat, 0, [text()]));
    const steps = [...migrations, 'create table later (a int)', 'alter table later add column b int'];
    const migrateWith = async (attempt: readonly string[]) => {
      const client = new pg.Client({ connectionString: postgres().connectionString });
      await client.connect();
      await migrate(client, schema, attempt).finally(() => client.end());
    };
    await expect(migrateWith([...steps, 'create nonsense'])).rejects.toThrow(/nonsense/);
    expect(await versionsOf(schema)).toEqual([{ version: migrations.length }]);
    await Promise.all([migrateWith(steps), migrateWith(steps)]);
    expect(await versionsOf(schema)).toEqual([{ version: steps.length }]);
    expect(await postgres().query(`select a, b from ${schema}.later`)).toEqual([]);
    expect(await postgres().query(`select seq::int from ${schema}.events`)).toEqual([{ seq: 1 }]);
  });

  it('refuses a schema of a newer version, names both versions, and changes nothing', async () => {
    const schema = postgres().newSchema();
    await open({ schema }).chats.head(chat);
    await postgres().query(`update ${schema}.schema_version set version = 99`);
    await expect(open({ schema }).chats.head(chat)).rejects.toMatchObject({
      name: 'CountersignError',
      code: 'internal',
      message: expect.stringMatching(`version 99.*up to ${migrations.length}.*Upgrade`),
      fields: { version: 99, known: migrations.length },
    });
    expect(await versionsOf(schema)).toEqual([{ version: 99 }]);
  });

  it('needs no right to create schemas if the schema exists', async () => {
    const schema = postgres().newSchema();
    await open({ schema }).chats.head(chat);
    // A role belongs to the server, and outlives the database of this file.
    const role = `app_${randomUUID().replaceAll('-', '')}`;
    await postgres().query(`create role ${role} login password 'p';
      grant usage on schema ${schema} to ${role};
      grant select, insert, update, delete on all tables in schema ${schema} to ${role}`);
    const url = new URL(postgres().connectionString);
    url.username = role;
    url.password = 'p';
    const store = open({ schema, connectionString: url.href });
    expect(await store.append(batch(chat, 0, [text()], { questions: [question('q')] }))).toBe('appended');
    await store.chats.erase(chat, 'ana', 2_000);
    expect(await store.chats.head(chat)).toBeUndefined();
  });
});

describe('a database that cannot be used', () => {
  const elsewhere = (change: (url: URL) => void) => () => {
    const url = new URL(postgres().connectionString);
    change(url);
    return url.href;
  };
  it.each<[string, RegExp, () => string]>([
    [
      'nothing listens there',
      /at 127\.0\.0\.1:1\/\w+ cannot be used: .*ECONNREFUSED/,
      elsewhere((url) => Object.assign(url, { port: '1' })),
    ],
    [
      'the password is wrong',
      /password authentication failed/,
      elsewhere((url) => Object.assign(url, { password: `${password}x` })),
    ],
    [
      'the database does not exist',
      /"nowhere" does not exist/,
      elsewhere((url) => Object.assign(url, { pathname: '/nowhere' })),
    ],
    [
      'the host does not exist',
      /nowhere\.invalid/,
      elsewhere((url) => Object.assign(url, { hostname: 'nowhere.invalid' })),
    ],
  ])('is reported without the password when %s', async (_, message, address) => {
    const error: unknown = await open({ connectionString: address(), retryMs: 0 })
      .chats.head(chat)
      .catch((reason) => reason);
    expect(error).toMatchObject({ name: 'CountersignError', message: expect.stringMatching(message) });
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain(password);
  });

  it.each([
    ['is not a URL', `host=db password=${password}`],
    ['is of another protocol', `mysql://me:${password}@db/app`],
    ['has a password with an unescaped #', `postgres://me:1#${password}@db/app`],
    ['has a password with an unescaped /', `postgres://me:${password}/@db/app`],
  ])('is refused immediately when its address %s', (_, connectionString) => {
    const attempt = () => postgresStore({ connectionString });
    expect(attempt).toThrow(/not a Postgres URL/);
    try {
      attempt();
    } catch (error) {
      expect(inspect(error, { depth: null, showHidden: true })).not.toContain(password);
    }
  });

  it.each(['', 'Upper', 'a-b', 'a"b', '1a', 'pg_mine', 'x'.repeat(49)])(
    'cannot have the schema %j',
    (schema) => {
      expect(() => open({ schema })).toThrow(/invalid `schema`/);
    },
  );

  it('may have an SQL keyword as its schema', async () => {
    expect(await open({ schema: 'select' }).append(batch(chat, 0, [text()]))).toBe('appended');
  });

  it('is refused if it could not store every text', async () => {
    const connectionString = await postgres().newDatabase("encoding 'LATIN1' locale 'C' template template0");
    await expect(open({ connectionString }).chats.head(chat)).rejects.toThrow(/encoded in LATIN1.*UTF8/);
  });

  it('is tried again by the next call', async () => {
    const schema = postgres().newSchema();
    await open({ schema }).chats.head(chat);
    await postgres().query(`update ${schema}.schema_version set version = 99`);
    const store = open({ schema });
    await expect(store.chats.head(chat)).rejects.toThrow(/99/);
    await postgres().query(`update ${schema}.schema_version set version = ${migrations.length}`);
    expect(await store.chats.head(chat)).toBeUndefined();
  });

  it('keeps the server’s message as the cause when a request fails', async () => {
    const schema = postgres().newSchema();
    const store = open({ schema });
    await store.chats.head(chat);
    await postgres().query(`drop table ${schema}.events`);
    await expect(store.events.read(chat, 0)).rejects.toMatchObject({
      code: 'internal',
      message: 'The store failed. Trying again is safe.',
      cause: expect.objectContaining({ message: expect.stringContaining('does not exist') }),
    });
    expect(await store.chats.head(chat)).toBeUndefined();
  });
});

it('is created without pg installed, and reports what is missing when it is used', async () => {
  const hide = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (name !== 'pg') return next(name, context);
      throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
    } });`;
  const door = new URL('../../lib/stores/index.ts', import.meta.url);
  const program = `const { sqliteStore, postgresStore } = await import(${JSON.stringify(door.href)});
    console.log(await sqliteStore({ path: ':memory:' }).chats.head('chat-1'));
    await postgresStore({ connectionString: 'postgres://db/app' }).chats.head('chat-1').catch((error) => console.log(error.message));`;
  const child = spawn(process.execPath, [
    ...['--import', `data:text/javascript,${encodeURIComponent(hide)}`],
    ...['--input-type=module', '--eval', program],
  ]);
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const [code] = await once(child, 'close');
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'undefined\npostgresStore needs the package pg, which is not installed. Run: npm install pg@8\n',
  });
});

describe('the heartbeats of an instance', () => {
  const chats = Array.from({ length: 16 }, (_, index) => parseChatId(`chat-${index}`));
  const leased = async (store: ReturnType<typeof open>) => {
    const lease = { owner: 'here', until: 2_000 };
    const steady = stopMonotonicClock();
    await Promise.all(chats.map((id) => store.append(batch(id, 0, [text()], { lease }))));
    steady.restore();
  };
  const renewed = (store: ReturnType<typeof open>, id: ChatId, owner = 'here') =>
    store.runs.claimLease(id, { owner, until: 9_000 }, 1_000);

  it('renew all leases with one statement, and look for stops with another', async () => {
    const store = open({ maxConnections: 1 });
    await leased(store);
    await store.runs.requestStop(parseChatId('chat-3'), run());
    const queries = vi.spyOn(pg.Client.prototype, 'query');
    const looks = chats.map((id) => Promise.all([renewed(store, id), store.runs.stopRequested(id, run())]));
    expect(await Promise.all(looks)).toEqual(chats.map((id) => [true, id === 'chat-3']));
    expect(queries).toHaveBeenCalledTimes(2);
  });

  it('renew only what the instance holds', async () => {
    const store = open();
    await leased(store);
    const claims = chats.map((id, index) => renewed(store, id, index % 2 === 0 ? 'here' : 'there'));
    expect(await Promise.all(claims)).toEqual(chats.map((_, index) => index % 2 === 0));
    // All of them expired at the same time, so their order is not defined.
    const others = chats.filter((_, index) => index % 2 === 1);
    expect(new Set(await store.runs.orphans(2_000))).toEqual(new Set(others));
  });

  it('do not wait for other chats that another transaction has locked', async () => {
    const schema = postgres().newSchema();
    const store = open({ schema });
    await leased(store);
    const [locked, ...others] = chats as [ChatId, ...ChatId[]];
    const holder = new pg.Client(postgres().connectionString);
    await holder.connect();
    await holder.query('begin');
    await holder.query(`select from "${schema}".chats where id = $1 for update`, [locked]);
    let isRenewed = false;
    const held = renewed(store, locked).finally(() => {
      isRenewed = true;
    });
    expect(await Promise.all(others.map((id) => renewed(store, id)))).toEqual(others.map(() => true));
    expect(isRenewed).toBe(false);
    await holder.query('commit');
    expect(await held).toBe(true);
    await holder.end();
  });
});

describe('appending', () => {
  it('takes one round trip, whatever the batch contains', async () => {
    const store = open();
    await store.append(batch(chat, 0, [text()]));
    const queries = vi.spyOn(pg.Client.prototype, 'query');
    const next = batch(chat, 1, [text(), started('call-1')], { questions: [question('a'), question('b')] });
    expect(await store.append(next)).toBe('appended');
    expect(queries).toHaveBeenCalledTimes(1);
  });

  it('does not wait for other chats that another transaction has locked', async () => {
    const schema = postgres().newSchema();
    const store = open({ schema });
    const others = ['b', 'c', 'd'].map(parseChatId);
    await store.append(batch(chat, 0, [text()]));
    const holder = new pg.Client(postgres().connectionString);
    await holder.connect();
    await holder.query('begin');
    await holder.query(`select from "${schema}".chats where id = $1 for update`, [chat]);
    let isWritten = false;
    const held = store.append(batch(chat, 1, [text()])).finally(() => {
      isWritten = true;
    });
    const together = others.map((id) => store.append(batch(id, 0, [text()])));
    expect(await Promise.all(together)).toEqual(['appended', 'appended', 'appended']);
    expect(await store.append(batch(parseChatId('later'), 0, [text()]))).toBe('appended');
    expect(isWritten).toBe(false);
    await holder.query('commit');
    expect(await held).toBe('appended');
    await holder.end();
  });

  it('begins a lease when it is written: the time that an append waited for others does not count', async () => {
    const schema = postgres().newSchema();
    const store = open({ schema });
    const steady = stopMonotonicClock();
    await store.append(batch(chat, 0, [text()]));
    const holder = new pg.Client(postgres().connectionString);
    await holder.connect();
    await holder.query('begin');
    await holder.query(`lock table "${schema}".chats in access exclusive mode`);
    const before = store.append(batch(chat, 1, [text()]));
    const waitsForLock = `select pid from pg_locks where not granted and relation = '${schema}.chats'::regclass`;
    await waitFor(async () => expect(await postgres().query(waitsForLock)).toHaveLength(1));
    const [waiting, at] = [parseChatId('waiting'), 1_000];
    const run = store.append(
      batch(waiting, 0, [text()], { lease: { owner: 'here', until: at + 1_000 }, now: at }),
    );
    steady.advance(1_200);
    await holder.query('commit');
    await holder.end();
    expect(await Promise.all([before, run])).toEqual(['appended', 'appended']);
    expect(await store.runs.orphans(at + 2_199)).toEqual([]);
    expect(await store.runs.orphans(at + 2_200)).toEqual([waiting]);
  });

  it('writes concurrent appends with one statement', async () => {
    const store = open();
    await store.chats.head(chat);
    const queries = vi.spyOn(pg.Client.prototype, 'query');
    const chats = Array.from({ length: 16 }, (_, index) => parseChatId(`chat-${index}`));
    const outcomes = chats.map((id) => store.append(batch(id, 0, [text()])));
    expect(await Promise.all(outcomes)).toEqual(chats.map(() => 'appended'));
    expect(queries).toHaveBeenCalledTimes(1);
  });

  it('acknowledges only what is on the disk, even if the database is configured not to wait', async () => {
    const connectionString = await postgres().newDatabase();
    const name = new URL(connectionString).pathname.slice(1);
    await postgres().query(`alter database ${name} set synchronous_commit = off`);
    const queries = vi.spyOn(pg.Client.prototype, 'query');
    await open({ connectionString }).append(batch(chat, 0, [text()]));
    const [client] = queries.mock.contexts;
    vi.restoreAllMocks();
    expect(client).toBeInstanceOf(pg.Client);
    const setting = client instanceof pg.Client && (await client.query('show synchronous_commit'));
    expect(setting).toMatchObject({ rows: [{ synchronous_commit: 'on' }] });
  });

  it('keeps the last of two states of a question in one batch', async () => {
    const store = open();
    const states = [question('a'), question('b'), question('a', { state: 'cancelled' })];
    await store.append(batch(chat, 0, [text()], { questions: states }));
    expect(await store.questions.read(approval('a'))).toMatchObject({ state: 'cancelled' });
    const changes = await store.questions.changes(0, 9);
    expect(changes.map((change) => change.question.id)).toEqual(['b', 'a']);
  });

  it('accepts claims and owners of any length', async () => {
    const store = open();
    const long = Array.from({ length: 20_000 }, (_, index) => index.toString(36)).join('-');
    const owned = { head: { ownerId: long }, questions: [question('q', { ownerId: long })] };
    expect(await store.append(batch(chat, 0, [started(`call-${long}`.slice(0, 256))], owned))).toBe(
      'appended',
    );
    expect((await store.chats.list({ ownerId: long, limit: 2 })).items).toHaveLength(1);
    expect((await store.chats.list({ ownerId: `${long}x`, limit: 2 })).items).toEqual([]);
  });

  it.each(['a\u0000b', 'cut \ud83d'])(
    'finds no question for an id that a database cannot store: %j',
    async (id) => {
      expect(await open().questions.read(approval(id))).toBeUndefined();
    },
  );
});

describe('erasing', () => {
  /** How many rows are left of any chat. */
  const rowsLeft = async (schema: string) => {
    const tables = ['chats', 'events', 'questions', 'stop_requests', 'calls'];
    const counts = tables.map((table) => `(select count(*)::int from ${schema}.${table}) as ${table}`);
    return (await postgres().query(`select ${counts.join(', ')}`))[0];
  };
  const none = { chats: 0, events: 0, questions: 0, stop_requests: 0, calls: 0 };

  it('leaves nothing of an append that it had to wait for', async () => {
    const schema = postgres().newSchema();
    const store = open({ schema });
    await store.append(batch(chat, 0, [text()], { questions: [question('q')] }));
    const writer = new pg.Client(postgres().connectionString);
    await writer.connect();
    await writer.query(`begin; update ${schema}.chats set seq = 2;
      insert into ${schema}.events (chat, seq, at, run, body) select chat, 2, 1, 'run', '{}' from ${schema}.chats`);
    const erased = store.chats.erase(chat, 'ana', 2_000);
    const waiting =
      "select from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'";
    await waitFor(async () => expect(await postgres().query(waiting)).toHaveLength(1));
    await writer.query('commit');
    await erased;
    await writer.end();
    expect(await rowsLeft(schema)).toEqual(none);
  });

  it('is waited for by an import under the same id, which is then refused', async () => {
    const schema = postgres().newSchema();
    const store = open({ schema });
    await store.append(batch(parseChatId('other'), 0, [imported]));
    const eraser = new pg.Client(postgres().connectionString);
    await eraser.connect();
    await eraser.query(`begin; insert into ${schema}.erasures (chat_id, erased_by, at, touched)
      values ('${chat}', '"ana"', 1, pg_current_xact_id())`);
    const importing = store.append(batch(chat, 0, [imported]));
    const waiting = `select from pg_locks where not granted and relation = '${schema}.erasures'::regclass`;
    await waitFor(async () => expect(await postgres().query(waiting)).toHaveLength(1));
    await eraser.query('commit');
    expect(await importing).toBe('conflict');
    await eraser.end();
    expect(await store.chats.head(chat)).toBeUndefined();
  });

  it('leaves nothing of racing appends', async () => {
    const schema = postgres().newSchema();
    const stores = [open({ schema }), open({ schema })] as const;
    const chats = Array.from({ length: 40 }, (_, index) => parseChatId(`chat-${index}`));
    for (const id of chats) await stores[0].append(batch(id, 0, [text()]));
    const outcomes = await Promise.all(
      chats.map(async (id, index) => {
        const added = stores[0].append(
          batch(id, 1, [text()], { questions: [question(`q-${index}`, { chatId: id })] }),
        );
        await stores[1].chats.erase(id, 'ana', 2_000);
        return added;
      }),
    );
    expect(outcomes.filter((outcome) => outcome !== 'appended' && outcome !== 'conflict')).toEqual([]);
    expect(await rowsLeft(schema)).toEqual(none);
  });
});

it('leaves no connection open when it is closed, or when it could not be opened', async () => {
  const schema = postgres().newSchema();
  const name = `closing_${schema}`;
  const url = new URL(postgres().connectionString);
  url.searchParams.set('application_name', name);
  const store = postgresStore({ connectionString: url.href, schema });
  await Promise.all([store.chats.head(chat), store.chats.head(chat), store.append(batch(chat, 0, [text()]))]);
  const count = async () => {
    const rows = await postgres().query<{ n: number }>(
      'select count(*)::int as n from pg_stat_activity where application_name = $1',
      [name],
    );
    return rows[0]?.n;
  };
  expect(await count()).toBeGreaterThan(1);
  await store.close();
  await waitFor(async () => expect(await count()).toBe(0));

  await postgres().query(`update ${schema}.schema_version set version = 99`);
  await expect(open({ connectionString: url.href, schema }).chats.head(chat)).rejects.toThrow(/99/);
  await waitFor(async () => expect(await count()).toBe(0));
});

describe('the server’s clock', () => {
  it('is known from the first call on, and costs no statement to read', async () => {
    const { clock, chats } = open();
    expect(clock?.now()).toBeUndefined();
    await chats.head(chat);
    const serverTime = async () => {
      const [row] = await postgres().query<{ at: number }>(
        'select extract(epoch from clock_timestamp())::float8 * 1000 as at',
      );
      return row?.at ?? Number.NaN;
    };
    const statements = vi.spyOn(pg.Client.prototype, 'query');
    await clock?.measure();
    expect(statements).not.toHaveBeenCalled();
    statements.mockRestore();
    const before = await serverTime();
    const now = clock?.now() ?? Number.NaN;
    const after = await serverTime();
    // An estimate that is further off is not believed.
    expect(now).toBeGreaterThan(before - 1_000);
    expect(now).toBeLessThan(after + 1_000);
    expect(Number.isInteger(now)).toBe(true);
  });

  it('is not known when the server cannot be asked, with a transient error', async () => {
    const { clock } = open({ connectionString: 'postgres://nobody@127.0.0.1:1/none', retryMs: 0 });
    await expect(clock?.measure()).rejects.toMatchObject({ code: 'internal', transient: true });
    expect(clock?.now()).toBeUndefined();
  });
});
