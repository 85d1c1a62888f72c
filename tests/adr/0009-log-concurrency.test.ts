import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect } from 'vitest';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { parseChatId } from '../../lib/protocol/index.ts';
import { postgresStore, sqliteStore } from '../../lib/stores/index.ts';
import {
  answered,
  approval,
  asked,
  batch,
  chat,
  idsOf,
  question,
  run,
  started,
  text,
} from '../contract/store-batches.ts';
import { adr } from '../support/adr.ts';
import { stopMonotonicClock } from '../support/monotonic-clock.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { startProxy } from '../support/postgres/proxy.ts';

const { clause } = adr('0009-log-concurrency.md');
const postgres = setUpPostgres();
let folder: string;
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-adr-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Two instances on the same data, of each store in turn. */
async function onBoth(prove: (here: FlowStore, there: FlowStore) => Promise<void>): Promise<void> {
  files += 1;
  const path = join(folder, `${files}.db`);
  const { connectionString, newSchema } = postgres();
  const schema = newSchema();
  for (const open of [() => sqliteStore({ path }), () => postgresStore({ connectionString, schema })]) {
    const pair = [open(), open()] as const;
    await prove(...pair);
    for (const store of pair) await store.close();
  }
}

/** Two connections to Postgres, for statements that the store does not run. */
async function withTwoClients(prove: (one: pg.Client, two: pg.Client) => Promise<void>): Promise<void> {
  const { connectionString } = postgres();
  const [one, two] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
  await Promise.all([one.connect(), two.connect()]);
  await prove(one, two);
  await Promise.all([one.end(), two.end()]);
}

clause('0009.1', async () => {
  await onBoth(async (here, there) => {
    for (let after = 0; after < 10; after += 1) {
      const rivals = Array.from({ length: 8 }, (_, rival) =>
        (rival % 2 === 0 ? here : there).append(batch(chat, after, [text(`${rival}`)])),
      );
      const outcomes = await Promise.all(rivals);
      const winner = outcomes.indexOf('appended');
      expect(outcomes.filter((outcome) => outcome === 'appended')).toHaveLength(1);
      expect(await there.events.read(chat, after)).toMatchObject([{ seq: after + 1, delta: `${winner}` }]);
    }
  });

  // Rejected: the last writer wins. Both get an acknowledgement, and one event is left.
  const db = new DatabaseSync(':memory:');
  db.exec('create table events (chat, seq, body, primary key (chat, seq))');
  const overwrite = db.prepare('insert or replace into events values (1, 1, ?)');
  expect(['alice', 'bob'].map((body) => overwrite.run(body).changes)).toEqual([1, 1]);
  expect(db.prepare('select body from events').all()).toEqual([{ body: 'bob' }]);
  db.close();
});

clause('0009.2', async () => {
  await onBoth(async (here, there) => {
    await here.append(batch(chat, 0, [answered('q'), started('call-1')]));
    for (const claim of [answered('q', false), started('call-1')]) {
      for (const store of [here, there]) {
        const head = await store.chats.head(chat);
        expect(await store.append(batch(chat, head?.seq ?? 0, [text(), claim]))).toBe('conflict');
      }
    }
    expect(await there.events.read(chat, 0)).toHaveLength(2);
  });

  // Rejected: to read before writing. Both read, both find nothing, both write.
  await withTwoClients(async (one, two) => {
    await one.query('create table looked (claim text)');
    for (const client of [one, two]) await client.query('begin');
    for (const client of [one, two]) {
      const found = await client.query("select 1 from looked where claim = 'started:call-1'");
      expect(found.rows).toEqual([]);
    }
    for (const client of [one, two]) await client.query("insert into looked values ('started:call-1')");
    for (const client of [one, two]) await client.query('commit');
    expect((await one.query('select claim from looked')).rows).toHaveLength(2);
  });
});

clause('0009.3', async () => {
  await onBoth(async (here, there) => {
    const { restore } = stopMonotonicClock();
    await here.append(batch(chat, 0, [text()], { owner: 'here', lease: { owner: 'here', until: 2_000 } }));
    restore();
    expect(await there.append(batch(chat, 1, [text()], { owner: 'there', at: 1_999 }))).toBe('conflict');
    expect(await here.append(batch(chat, 1, [text()], { owner: 'here', at: 1_999 }))).toBe('appended');
    const rivals = [here, there, here, there].map((store, rival) =>
      store.runs.claimLease(chat, { owner: `rival-${rival}`, until: 9_000 }, 2_000),
    );
    const taken = await Promise.all(rivals);
    expect(taken.filter(Boolean)).toHaveLength(1);
    const owner = `rival-${taken.indexOf(true)}`;
    expect(await here.append(batch(chat, 2, [text()], { owner: 'here', at: 2_001 }))).toBe('conflict');
    expect(await there.append(batch(chat, 2, [text()], { owner, at: 2_001 }))).toBe('appended');
  });
});

clause('0009.4', async () => {
  await onBoth(async (here, there) => {
    const other = parseChatId('other');
    await here.append(batch(chat, 0, [started('call-1')]));
    await here.append(batch(other, 0, [text()], { questions: [question('theirs', { chatId: other })] }));
    const full = { lease: { owner: 'here', until: 9_000 }, questions: [question('mine')] };
    expect(await here.append(batch(chat, 1, [text(), started('call-1')], full))).toBe('conflict');
    expect(await here.append(batch(chat, 7, [text()], full))).toBe('conflict');
    const theft = { ...full, questions: [question('mine'), question('theirs')] };
    await expect(here.append(batch(chat, 1, [text()], theft))).rejects.toMatchObject({ code: 'internal' });

    expect(await there.chats.head(chat)).toMatchObject({ seq: 1 });
    expect(await there.events.read(chat, 1)).toEqual([]);
    expect(await there.runs.orphans(99_000)).toEqual([]);
    expect(idsOf((await there.questions.list({ state: 'open', limit: 9 })).items)).toEqual(['theirs']);
    expect(await there.questions.lastChange()).toBe(1);
  });
});

clause('0009.5', async () => {
  const writers = 8;
  const rounds = 10;
  await onBoth(async (here, there) => {
    const writing = Array.from({ length: writers }, async (_, writer) => {
      const chatId = parseChatId(`writer-${writer}`);
      for (let round = 0; round < rounds; round += 1) {
        const asked = question(`${chatId}-${round}`, { chatId });
        await (writer % 2 === 0 ? here : there).append(
          batch(chatId, round, [text()], { questions: [asked] }),
        );
      }
    });
    const seen = new Set<string>();
    let after = 0;
    let written = false;
    const done = Promise.all(writing).then(() => {
      written = true;
    });
    for (let last = false; !last; ) {
      last = written;
      const page = await there.questions.changes(after, 1_000);
      for (const change of page) seen.add(change.question.id);
      after = page.at(-1)?.change ?? after;
      await turnOfEventLoop();
    }
    await done;
    expect(seen.size).toBe(writers * rounds);
  });

  // The writer with a position is delayed. A second one gets the next position only after the first is done.
  const schema = postgres().newSchema();
  const store = postgresStore({ connectionString: postgres().connectionString, schema });
  await store.chats.head(chat);
  await withTwoClients(async (slow, watcher) => {
    await slow.query(`begin; update ${schema}.feed set last = last + 1`);
    const fast = store.append(batch(chat, 0, [text()], { questions: [question('fast')] }));
    await expect.poll(() => isWaitingForLock(watcher), { timeout: 10_000 }).toBe(true);
    expect(await store.questions.changes(0, 9)).toEqual([]);
    await slow.query('commit');
    expect(await fast).toBe('appended');
    expect((await store.questions.changes(0, 9)).map(({ change }) => change)).toEqual([2]);
  });
  await store.close();

  // Rejected: positions from a sequence. The second commits first, the reader continues, the first is never seen.
  await withTwoClients(async (slow, fast) => {
    await fast.query('create table changes (place bigserial primary key, question text)');
    await slow.query("begin; insert into changes (question) values ('slow')");
    await fast.query("insert into changes (question) values ('fast')");
    const seen: string[] = [];
    let after = 0;
    const read = async () => {
      const { rows } = await fast.query(
        'select place::int, question from changes where place > $1 order by place',
        [after],
      );
      seen.push(...rows.map((row) => row.question));
      after = rows.at(-1)?.place ?? after;
    };
    await read();
    await slow.query('commit');
    await read();
    expect(seen).toEqual(['fast']);
    expect((await fast.query('select 1 from changes')).rows).toHaveLength(2);
  });
});

async function isWaitingForLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.length > 0;
}

clause('0009.6', async () => {
  const { connectionString, newSchema } = postgres();
  const schema = newSchema();
  const proxy = await startProxy(connectionString);
  const here = postgresStore({ connectionString: proxy.connectionString, schema });
  const there = postgresStore({ connectionString, schema });
  await here.append(batch(chat, 0, [text()]));

  const claim = batch(chat, 1, [started('call-1')]);
  const lost = proxy.lose('reply', 'countersign append');
  const claiming = here.append(claim);
  await lost;
  // Rejected: to repeat the append and accept the conflict. The claim is ours, but the result says that it is not.
  expect(await there.append(claim)).toBe('conflict');
  proxy.accept();
  expect(await claiming).toBe('appended');
  expect(await there.events.read(chat, 1)).toEqual(claim.events);

  const late = batch(chat, 2, [started('call-2')]);
  const unsent = proxy.lose('request', 'countersign append');
  const beaten = here.append(late);
  await unsent;
  expect(await there.append(late)).toBe('appended');
  proxy.accept();
  expect(await beaten).toBe('conflict');

  // The caller gives up, and retries later with the same batch.
  const impatient = postgresStore({ connectionString: proxy.connectionString, schema, retryMs: 0 });
  await impatient.chats.head(chat);
  const named = batch(chat, 3, [started('call-3')], { id: 'batch-3' });
  const unheard = proxy.lose('reply', 'countersign append');
  const failing = expect(impatient.append(named)).rejects.toMatchObject({ transient: true });
  await unheard;
  await failing;
  proxy.accept();
  expect(await impatient.append(named)).toBe('appended');
  const { id: _id, ...nameless } = named;
  expect(await impatient.append(nameless)).toBe('conflict');
  await impatient.close();

  await proxy.close();
  await here.close();
  await there.close();

  // SQLite answers within the call: no acknowledgement can be lost, and a killed process reads the log again.
  const path = join(folder, 'acknowledged.db');
  const embedded = sqliteStore({ path });
  expect(await embedded.append(batch(chat, 0, [answered('q')]))).toBe('appended');
  const restarted = sqliteStore({ path });
  expect(await restarted.events.read(chat, 0)).toMatchObject([{ approvalId: approval('q') }]);
  const again = batch(chat, 1, [started('call-1')], { id: 'batch-1' });
  expect(await restarted.append(again)).toBe('appended');
  expect(await restarted.append(again)).toBe('appended');
  expect(await restarted.events.read(chat, 1)).toHaveLength(1);
  await embedded.close();
  await restarted.close();
});

clause('0009.7', async () => {
  const { connectionString, newSchema } = postgres();
  const schema = newSchema();
  const proxy = await startProxy(connectionString);
  const here = postgresStore({ connectionString: proxy.connectionString, schema });
  const there = postgresStore({ connectionString, schema });
  await here.chats.head(chat);
  const heard = new Map<string, () => void>();
  const hear = (wake: string) => new Promise<void>((resolve) => heard.set(wake, resolve));
  here.subscribe(({ reason, chatId }) => heard.get(`${reason} ${chatId}`)?.());
  const rejected = new pg.Client({ connectionString });
  await rejected.connect();
  await rejected.query(`listen "${schema}.wakes"`);
  const notified: unknown[] = [];
  rejected.on('notification', ({ payload }) => notified.push(payload));

  const listening = hear('append chat-1');
  await there.append(batch(chat, 0, [text()]));
  await listening;

  proxy.refuse();
  await rejected.query(`unlisten "${schema}.wakes"`);
  notified.length = 0;
  const missed = Promise.all([hear('append missed'), hear('erase chat-1')]);
  await there.append(batch(parseChatId('missed'), 0, [text()]));
  await there.chats.erase(chat, 'ana', 2_000);
  proxy.accept();
  await missed;

  // Rejected: only to listen again. Notifications sent in between are lost.
  await rejected.query(`listen "${schema}.wakes"`);
  await rejected.query('select 1');
  expect(notified).toEqual([]);
  await rejected.end();

  await proxy.close();
  await here.close();
  await there.close();
});

clause('0009.8', async () => {
  await onBoth(async (here, there) => {
    await here.append(batch(chat, 0, [text()]));
    await there.runs.requestStop(chat, run());
    for (const body of [started('call-1'), asked('q')]) {
      expect(await here.append(batch(chat, 1, [body]))).toBe('stopped');
    }
    expect(await here.append(batch(chat, 1, [text()]))).toBe('appended');
    expect(await here.append(batch(chat, 2, [started('call-1')], { run: 2 }))).toBe('appended');
  });

  const { connectionString, newSchema } = postgres();
  const schema = newSchema();
  const stores = [postgresStore({ connectionString, schema }), postgresStore({ connectionString, schema })];
  const [here, there] = stores;
  if (!here || !there) throw new Error('There are no stores.');
  await here.append(batch(chat, 0, [text()]));
  await there.chats.head(chat);
  await withTwoClients(async (holder, watcher) => {
    const waiting = async (count: number) => {
      const sql =
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await expect.poll(async () => (await watcher.query(sql)).rows.length, { timeout: 10_000 }).toBe(count);
    };
    await holder.query(`begin; select from ${schema}.chats for update`);
    const stopping = there.runs.requestStop(chat, run());
    await waiting(1);
    const appending = here.append(batch(chat, 1, [started('call-1')]));
    await waiting(2);
    await holder.query('commit');
    await stopping;
    expect(await appending).toBe('stopped');
  });

  // Rejected: the request in a separate table. The append reads it before it waits, and finds nothing.
  await withTwoClients(async (stopper, appender) => {
    await stopper.query(`create table heads (id int primary key, seq int); insert into heads values (1, 1);
      create table requests (id int)`);
    await stopper.query('begin');
    await stopper.query('update heads set seq = seq; insert into requests values (1)');
    const appended = appender.query(
      'update heads set seq = 2 where id = 1 and not exists (select from requests where requests.id = heads.id)',
    );
    await expect.poll(() => isWaitingForLock(stopper), { timeout: 10_000 }).toBe(true);
    await stopper.query('commit');
    expect((await appended).rowCount).toBe(1);
    expect((await appender.query('select id from requests')).rows).toHaveLength(1);
  });
  for (const store of stores) await store.close();
});

clause('0009.9', async () => {
  const path = join(folder, 'locked.db');
  const embedded = sqliteStore({ path, retryMs: 0 });
  const holder = new DatabaseSync(path);
  holder.exec('begin immediate');
  await expect(embedded.append(batch(chat, 0, [text()]))).rejects.toMatchObject({ transient: true });
  holder.exec('rollback; drop table events');
  await expect(embedded.append(batch(chat, 0, [text()]))).rejects.toMatchObject({ transient: false });
  holder.close();
  await embedded.close();

  const { connectionString, newSchema, query } = postgres();
  const schema = newSchema();
  const there = postgresStore({ connectionString, schema });
  await there.append(batch(chat, 0, [text()]));
  const readOnly = `${connectionString}?options=-c%20default_transaction_read_only%3Don`;
  const standby = postgresStore({ connectionString: readOnly, schema, retryMs: 0 });
  await expect(standby.append(batch(chat, 1, [text()]))).rejects.toMatchObject({ transient: true });
  await query(`drop table ${schema}.events`);
  await expect(there.events.read(chat, 0)).rejects.toMatchObject({ transient: false });
  // Rejected: to compare texts. The message is the same for both, because it may reach a client.
  const messages = await Promise.all(
    [standby.chats.rename(chat, 'A'), there.events.read(chat, 0)].map((call) =>
      call.catch((error) => error.message),
    ),
  );
  expect(new Set(messages)).toEqual(new Set(['The store failed. Trying again is safe.']));
  await standby.close();
  await there.close();
});
