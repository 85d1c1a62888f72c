import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectionSettings } from '../../lib/stores/postgres/connection/connections.ts';
import { migrate } from '../../lib/stores/postgres/migrations.ts';
import { statementsFor } from '../../lib/stores/postgres/statements.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';

type PlanNode = {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Presorted Key'?: readonly string[];
  readonly Plans?: readonly PlanNode[];
};

const postgres = setUpPostgres();
let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: postgres().connectionString });
  await client.connect();
  await migrate(client, 'plans');
  await client.query(`
    insert into plans.chats (id, owner, title, created_at, updated_at, seq, turn_seq, status, touched)
      select 'chat-' || n, 'owner-' || n % 100, '', n, n, 1, 1, 'idle', '1' from generate_series(1, 5000) n;
    insert into plans.events (chat, seq, at, run, body)
      select chat, n, 1, 'run', '{}' from plans.chats, generate_series(1, 4) n;
    insert into plans.questions (id, chat, owner, state, requested_at, change, opened, ended, body)
      select 'q-' || n, 1 + n % 5000, 'owner-' || n % 100, 'approved', n, n, n, n, '{}' from generate_series(1, 20000) n;
    insert into plans.records (plugin, kind, key, owner, sort, version, value)
      select 'p', 'k-' || n % 3, 'key-' || n, 'owner-' || n % 100, n, 1, '' from generate_series(1, 5000) n;
    insert into plans.sessions (id, person, created_at, seen_at, until, principal)
      select 's-' || n, 'owner-' || n % 100, n, n, n, '{}' from generate_series(1, 5000) n;
    insert into plans.erasures (chat_id, erased_by, at, touched, record)
      select 'gone-' || n, '', n, '1', '' from generate_series(1, 5000) n;
    analyze`);
  // Tables of a test are small enough to be read as a whole.
  await client.query(connectionSettings);
});
afterAll(() => client.end());

/** How Postgres would run a statement, whatever its parameters: all steps. */
async function planOf(sql: string): Promise<PlanNode[]> {
  const { rows } = await client.query(`explain (generic_plan, format json) ${sql}`);
  const below = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(below)];
  return below(rows[0]['QUERY PLAN'][0].Plan);
}

/** Steps whose cost grows with the store: whole tables or indexes read, and tables' rows sorted. */
function growing(plan: readonly PlanNode[]): PlanNode[] {
  const readsTable = (node: PlanNode): boolean =>
    node['Relation Name'] !== undefined || (node.Plans ?? []).some(readsTable);
  return plan.filter((node) => {
    if (node['Node Type'] === 'Seq Scan') return true;
    if (/^Index/.test(node['Node Type'])) return node['Index Cond'] === undefined;
    return /Sort/.test(node['Node Type']) && !sortsEquals(node) && readsTable(node);
  });
}

/** What comes in order but for its last terms is sorted among its equals only. */
function sortsEquals(node: PlanNode): boolean {
  return node['Presorted Key'] !== undefined;
}

describe('the plan of every statement', () => {
  // A lock has no plan.
  const { lockErasures: _lock, append, ...planned } = statementsFor('plans');
  const shapes = [[], ['question', 'call'], ['notice'], ['question', 'call', 'notice', 'record']] as const;
  const appends = shapes.flatMap((more) =>
    (['wait', 'skip'] as const).map((onLocked) => append(onLocked, ['batch', 'event', ...more])),
  );
  const statements = [...Object.values(planned), ...appends].map(({ name, text }) => ({
    name: name.replace('countersign ', ''),
    sql: text,
  }));

  it.each(statements.filter(({ name }) => name !== 'missedSince'))(
    '$name finds its rows by an index, already in order',
    async ({ sql }) => {
      expect(growing(await planOf(sql))).toEqual([]);
    },
  );

  it.each([
    [[], ['chats', 'events']],
    [['call'], ['calls', 'chats', 'events']],
    [['question'], ['chats', 'events', 'feed', 'questions']],
    [['notice'], ['chats', 'events', 'feed', 'notices']],
    [['record'], ['chats', 'events', 'records']],
  ] as const)('an append with rows %j writes only the tables %j', async (more, tables) => {
    const plan = await planOf(append('skip', ['batch', 'event', ...more]).text);
    const written = plan.filter((node) => node['Node Type'] === 'ModifyTable');
    expect([...new Set(written.map((node) => node['Relation Name']))].sort()).toEqual(tables);
  });

  it('has as many indexes on the tables of an append as before', async () => {
    const { rows } = await client.query(
      `select tablename, count(*)::int from pg_indexes where schemaname = 'plans' group by 1`,
    );
    const indexes = Object.fromEntries(rows.map(({ tablename, count }) => [tablename, count]));
    expect(indexes).toMatchObject({ chats: 6, events: 2, questions: 10, calls: 2, feed: 1, notices: 1 });
  });

  it('sorts only chats of the same millisecond', async () => {
    const sorting: string[] = [];
    for (const { name, sql } of statements) if ((await planOf(sql)).some(sortsEquals)) sorting.push(name);
    expect(sorting).toEqual(['sealedChats', 'changedChats']);
  });

  it('missedSince finds changes by an index, and sorts only those', async () => {
    const plan = await planOf(statements.find(({ name }) => name === 'missedSince')?.sql ?? '');
    expect(growing(plan).map((node) => node['Node Type'])).toEqual(['Sort']);
    const indexes = plan.map((node) => node['Index Name']);
    expect(indexes).toEqual(expect.arrayContaining(['chats_by_touch', 'erasures_by_touch']));
  });

  it.each([
    ['events', 'events_pkey', /chat = .* AND \(seq >/],
    ['chats', 'chats_by_owner', /hashtextextended.* AND \(ROW\(updated_at, chat\) </],
    ['staleChats', 'chats_at_rest', /updated_at </],
    ['sealedChats', 'chats_at_rest', /updated_at >= \$1.*updated_at >= \$2/],
    ['changedChats', 'chats_at_rest', /updated_at >= \$1.*updated_at >= \$2/],
    ['recentCalls', 'calls_by_digest', /digest = .*at >=/],
    ['erasedAt', 'erasures_by_chat', /chat_id =/],
    ['keptRecords', 'erasures_kept', /ROW\(at, erasure\) </],
    ['keptRecordsOf', 'erasures_by_chat', /chat_id = .*ROW\(at, erasure\) </],
    ['dropRecordsOf', 'erasures_by_chat', /chat_id =/],
    ['dropRecordsBefore', 'erasures_kept', /at </],
    ['stopAlone', 'claims', /chat = .*claim =/],
    ['questionsOf', 'questions_by_owner', /hashtextextended.*state = .*ROW\(requested_at, question\) >/],
    ['questionsOfAll', 'questions_by_state', /state = .*ROW\(requested_at, question\) >/],
    ['settledOf', 'questions_by_owner', /hashtextextended.*state = .*ROW\(requested_at, question\) </],
    ['settledOfAll', 'questions_by_state', /state = .*ROW\(requested_at, question\) </],
    ['dueQuestions', 'questions_by_deadline', /deadline <=/],
    ['questionChanges', 'questions_change_key', /change >/],
    ['questionFeed', 'questions_by_event', /ended, change.* >/],
    ['records', 'records_by_key', /plugin = .*kind = .*key =/],
    ['recordsOf', 'records_by_owner', /hashtextextended.*ROW\(sort, record\) </],
    ['sessions', 'sessions_id_key', /id = ANY/],
    ['sessionsOf', 'sessions_by_person', /hashtextextended.*ROW\(created_at, number\) </],
    ['beginSession', 'sessions_by_until', /until <=/],
    ['orphans', 'chats_by_lease', /lease_until <=/],
    ['resultPart', 'results_pkey', /chat = .*result = .*part =/],
  ] as const)('%s begins at its position in %s', async (name, index, condition) => {
    const plan = await planOf(statements.find((statement) => statement.name === name)?.sql ?? '');
    expect(plan.find((node) => node['Index Name'] === index)?.['Index Cond']).toMatch(condition);
  });

  it('a list of chats reads the chats of its page, and counts only their questions', async () => {
    const { text } = statementsFor('plans').chats;
    const owner = `'"owner-7"'`;
    await client.query(
      `update plans.chats set owner = ${owner} where owner = 'owner-7'; analyze plans.chats`,
    );
    const given = [owner, '9000000000000', '9000000000000', '6'];
    const sql = text.replace(/\$(\d)/g, (_, place) => given[place - 1] ?? '');
    const { rows } = await client.query(`explain (analyze, timing off, format json) ${sql}`);
    const steps = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(steps)];
    const read = steps(rows[0]['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name'] !== undefined);
    expect(read).toMatchObject([
      { 'Relation Name': 'chats', 'Index Name': 'chats_by_owner', 'Actual Rows': 6, 'Actual Loops': 1 },
      { 'Relation Name': 'questions', 'Index Name': 'questions_open', 'Actual Loops': 6 },
    ]);
  });

  it.each([
    ['scans', "select * from plans.events where body = 'x'"],
    ['reads a whole index', 'select chat from plans.chats order by chat'],
    ['sorts', 'select * from plans.questions where chat = $1 order by body'],
  ])('reports a statement that %s', async (_, sql) => {
    expect(growing(await planOf(sql))).not.toEqual([]);
  });

  it.each(['events', 'questions', 'stop_requests', 'records', 'calls', 'results'])(
    'erasing finds the %s of a chat by an index',
    async (table) => {
      expect(growing(await planOf(`delete from plans.${table} where chat = $1`))).toEqual([]);
    },
  );
});
