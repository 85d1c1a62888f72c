import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { type EventBody, parseChatId } from '../../lib/protocol/index.ts';
import { postgresStore } from '../../lib/stores/index.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { waitFor } from '../support/wait-for.ts';
import { asked, batch, chat, question, run, started, text } from './store-batches.ts';

const postgres = setUpPostgres();
let schema: string;
let here: FlowStore;
let there: FlowStore;
/** Holds the chat's row, as an append of another instance does. */
let holder: pg.Client;

beforeEach(async () => {
  const { connectionString, newSchema } = postgres();
  schema = newSchema();
  here = postgresStore({ connectionString, schema });
  there = postgresStore({ connectionString, schema });
  await here.append(batch(chat, 0, [text()]));
  await there.chats.head(chat);
  holder = new pg.Client({ connectionString });
  await holder.connect();
  await holder.query('begin');
  await holder.query(`select from ${schema}.chats where id = $1 for update`, [chat]);
});
afterEach(async () => {
  await holder.end();
  await here.close();
  await there.close();
});

/** Waits until so many statements wait for a lock. */
async function untilWaiting(count: number): Promise<void> {
  const waiting =
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await waitFor(async () => expect(await postgres().query(waiting)).toHaveLength(count));
}

describe('a stop request that is written while an append waits for the row of its chat', () => {
  it.each<[string, EventBody]>([
    ['starts a call', started('call-1')],
    ['asks a question', asked('q')],
  ])('is seen by the append that %s', async (_, body) => {
    const stopping = there.runs.requestStop(chat, run());
    await untilWaiting(1);
    // Its statement begins, and sees the database as it is, before the request is written.
    const appending = here.append(batch(chat, 1, [text(), body], { questions: [question('q')] }));
    await untilWaiting(2);
    await holder.query('commit');
    await stopping;
    expect(await appending).toBe('stopped');
    expect(await here.events.read(chat, 0)).toHaveLength(1);
    expect(await here.questions.read(question('q').id)).toBeUndefined();
  });

  it('is seen even if a request for another run follows it', async () => {
    const stopping = there.runs.requestStop(chat, run(1));
    await untilWaiting(1);
    const further = there.runs.requestStop(chat, run(2));
    await untilWaiting(2);
    const appending = here.append(batch(chat, 1, [started('call-1')]));
    await untilWaiting(3);
    await holder.query('commit');
    await Promise.all([stopping, further]);
    expect(await appending).toBe('stopped');
  });

  it('refuses only that append of those that were written together', async () => {
    const others = ['b', 'c', 'd'].map(parseChatId);
    const stopping = there.runs.requestStop(chat, run());
    await untilWaiting(1);
    const appending = here.append(batch(chat, 1, [started('call-1')]));
    const together = others.map((id) => here.append(batch(id, 0, [started('call-1')])));
    expect(await Promise.all(together)).toEqual(['appended', 'appended', 'appended']);
    await untilWaiting(2);
    await holder.query('commit');
    await stopping;
    expect(await appending).toBe('stopped');
  });

  it('is too late for the append that locked the row first', async () => {
    const appending = here.append(batch(chat, 1, [started('call-1')]));
    await untilWaiting(1);
    const stopping = there.runs.requestStop(chat, run());
    await untilWaiting(2);
    await holder.query('commit');
    expect(await appending).toBe('appended');
    await stopping;
    expect(await here.append(batch(chat, 2, [started('call-2')]))).toBe('stopped');
  });
});

it('is found in the table if the row no longer has it', async () => {
  await holder.query('commit');
  await holder.query(`insert into ${schema}.stop_requests (chat, run) select chat, $1 from ${schema}.chats`, [
    run(),
  ]);
  expect(await here.append(batch(chat, 1, [started('call-1')]))).toBe('stopped');
  const others = [parseChatId('b'), parseChatId('c')].map((id) => here.append(batch(id, 0, [text()])));
  expect(await Promise.all([here.append(batch(chat, 1, [asked('q')])), ...others])).toEqual([
    'stopped',
    'appended',
    'appended',
  ]);
});

it('is removed from the row when another run starts', async () => {
  await holder.query('commit');
  await here.runs.requestStop(chat, run(1));
  await here.runs.requestStop(chat, run(2));
  await here.append(batch(chat, 1, [text()], { run: 2 }));
  const stopped = () => postgres().query(`select stopped from ${schema}.chats`);
  expect(await stopped()).toEqual([{ stopped: [run(2)] }]);
  await here.append(batch(chat, 2, [text()], { run: 3 }));
  expect(await stopped()).toEqual([{ stopped: null }]);
  expect(await here.runs.stopRequested(chat, run(1))).toBe(true);
});
