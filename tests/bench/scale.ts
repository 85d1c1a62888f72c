import { postgresStore } from 'countersign/store';
import pg from 'pg';
import { openOn } from './contestants/countersign.ts';
import { type Distribution, distributionOf } from './support/distribution.ts';
import { inTurns } from './support/in-turns.ts';
import { createTill } from './support/payment-script.ts';

/** An answer on Postgres beside so many other chats, in milliseconds. */
export type Scale = {
  readonly chats: number;
  readonly openQuestions: number;
  /** Of the schema, with its indexes. */
  readonly bytes: number;
  readonly answer: Distribution;
};

/** @param options.chats of each database, a tenth of them with an open question */
export async function scale(options: {
  readonly connectionString: string;
  readonly chats: readonly number[];
  readonly samples: number;
}): Promise<Scale[]> {
  const { connectionString, samples } = options;
  const databases = await Promise.all(
    options.chats.map((chats, place) => openFilled(connectionString, `scale_${place}`, chats)),
  );
  const warmUp = Math.ceil(samples / 10);
  for (const each of inTurns(databases, samples + warmUp)) each.times.push(await oneAnswer(each));
  const rows: Scale[] = [];
  for (const { chats, openQuestions, bytes, times, contestant } of databases) {
    rows.push({ chats, openQuestions, bytes, answer: distributionOf(times.slice(warmUp)) });
    await contestant.close();
  }
  return rows;
}

type Filled = Awaited<ReturnType<typeof openFilled>>;

async function oneAnswer({ contestant }: Filled): Promise<number> {
  const chat = contestant.chat(crypto.randomUUID());
  const [question] = await chat.begin('chain');
  if (question === undefined) throw new Error('Nothing is asked.');
  const start = performance.now();
  const [next] = await chat.answer(question);
  const taken = performance.now() - start;
  if (next !== undefined) await chat.answer(next);
  return taken;
}

/** In what a real flow wrote, to be replaced by each copy's number. */
const marker = 'mark';

/** A flow on a schema that has copies of two chats that were had: one that is over, one that waits. */
async function openFilled(connectionString: string, schema: string, chats: number) {
  const store = postgresStore({ connectionString, schema });
  const contestant = openOn(store, createTill());
  const over = contestant.chat(`over-${marker}`);
  for (let [open] = await over.begin('chain'); open !== undefined; ) [open] = await over.answer(open);
  const [question = ''] = await contestant.chat(`open-${marker}`).begin('chain');
  const openQuestions = chats / 10;
  const client = new pg.Client({
    connectionString,
    options: `-c search_path=${schema} -c synchronous_commit=off`,
  });
  await client.connect();
  await copyChats(client, {
    question,
    template: `over-${marker}`,
    first: 1e9,
    count: chats - openQuestions,
    events: 1,
  });
  await copyChats(client, {
    question,
    template: `open-${marker}`,
    first: 2e9,
    count: openQuestions,
    events: 100,
  });
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  const { rows } = await client.query<{ bytes: string }>(
    `select sum(pg_total_relation_size(oid)) as bytes from pg_class where relnamespace = $1::regnamespace and relkind = 'r'`,
    [schema],
  );
  await client.end();
  return { chats, openQuestions, contestant, bytes: Number(rows[0]?.bytes), times: [] as number[] };
}

/** @param copies.events of each chat, from its first. Owners have a hundred chats each */
async function copyChats(
  client: pg.Client,
  copies: {
    readonly template: string;
    /** The id of the open question, which each copy has its own of. */
    readonly question: string;
    readonly first: number;
    readonly count: number;
    readonly events: number;
  },
): Promise<void> {
  const { template, question, first, count, events } = copies;
  const numbered = `${first} + n`;
  const own: Readonly<Record<string, string>> = {
    chat: numbered,
    owner: `'"person-' || n / 100 || '"'`,
    change: numbered,
    opened: numbered,
    batch: 'gen_random_uuid()',
    updated_at: 't.updated_at - n',
    requested_at: 't.requested_at - n',
  };
  for (const [table, where] of [
    ['chats', 't.id = $1'],
    ['events', `t.chat = (select chat from chats where id = $1) and t.seq <= ${events}`],
    ['questions', `t.chat = (select chat from chats where id = $1) and t.state = 'open'`],
  ] as const) {
    const { rows: columns } = await client.query<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, null) as type from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> 'question'`,
      [table],
    );
    const values = columns.map(({ name, type }) => {
      if (own[name] !== undefined) return own[name];
      if (type !== 'text') return `t.${name}`;
      return `replace(replace(t.${name}, '${marker}', n::text), '${question}', '${question}' || n)`;
    });
    await client.query(
      `insert into ${table} (${columns.map(({ name }) => name).join(', ')}) overriding system value
       select ${values.join(', ')} from ${table} t, generate_series(1, ${count}) n where ${where}`,
      [template],
    );
  }
}
