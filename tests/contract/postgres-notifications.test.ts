import { type ToolExecutionOptions, type ToolSet, tool, type UIMessageChunk } from 'ai';
import type { CallContext } from 'countersign';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FlowStore, StoreChange } from '../../lib/log/store/index.ts';
import { type ChatId, parseChatId } from '../../lib/protocol/index.ts';
import { postgresStore } from '../../lib/stores/index.ts';
import { barrier } from '../support/barrier.ts';
import { flowFixture } from '../support/flow-fixture.ts';
import { setUpOwnPostgres } from '../support/postgres/postgres.ts';
import { type PostgresProxy, startProxy } from '../support/postgres/proxy.ts';
import { batch, chat, run, text } from './store-batches.ts';

const postgres = setUpOwnPostgres();
let proxy: PostgresProxy;
let schema: string;
/** Two instances: the first reaches the server by way of the proxy, the second always. */
let here: FlowStore;
let there: FlowStore;
/** Told each time a connection of `here` is found broken. */
let lost: PromiseWithResolvers<void>;

beforeEach(async () => {
  const { connectionString, newSchema } = postgres();
  schema = newSchema();
  proxy = await startProxy(connectionString);
  lost = Promise.withResolvers();
  const logger = {
    warn: (message: string) => {
      if (message.includes('listens')) lost.resolve();
    },
    error: () => {},
  };
  here = postgresStore({ connectionString: proxy.connectionString, schema, logger });
  there = postgresStore({ connectionString, schema });
  await here.chats.head(chat);
  await there.chats.head(chat);
});
afterEach(async () => {
  await proxy.close();
  await here.close();
  await there.close();
});

/** Collects the notifications of a store; `until(change)` waits for one. */
function collect(store: FlowStore) {
  const told: string[] = [];
  let heard = Promise.withResolvers<void>();
  store.subscribe(({ reason, chatId }: StoreChange) => {
    told.push(`${reason} ${chatId}`);
    heard.resolve();
    heard = Promise.withResolvers();
  });
  const until = async (change: string) => {
    while (!told.includes(change)) await heard.promise;
    return told;
  };
  return { told, until };
}

const append = (store: FlowStore, chatId: ChatId, after = 0) => store.append(batch(chatId, after, [text()]));

describe('notifications between two instances', () => {
  it('announce each other’s appends, stops and erasures, in the order they were made', async () => {
    const { until } = collect(here);
    await append(there, chat);
    await there.runs.requestStop(chat, run());
    await there.chats.erase(chat, 'ana', 2_000);
    expect(await until(`erase ${chat}`)).toEqual([`append ${chat}`, `stop ${chat}`, `erase ${chat}`]);
  });

  it('arrive when the change can be read', async () => {
    const seen = Promise.withResolvers<number>();
    here.subscribe(() => {
      here.events.read(chat, 0).then((events) => seen.resolve(events.length), seen.reject);
    });
    await append(there, chat);
    expect(await seen.promise).toBe(1);
  });

  it('do not arrive from another schema or with other contents', async () => {
    const { until } = collect(here);
    const { connectionString, newSchema, query } = postgres();
    const stranger = postgresStore({ connectionString, schema: newSchema() });
    await append(stranger, parseChatId('strange'));
    await stranger.close();
    await query(`select pg_notify('${schema}.wakes', 'nonsense')`);
    await append(there, chat);
    expect(await until(`append ${chat}`)).toEqual([`append ${chat}`]);
  });

  it('carry ids of the greatest length', async () => {
    const { until } = collect(here);
    const long = parseChatId('x'.repeat(128));
    await append(there, long);
    expect(await until(`append ${long}`)).toHaveLength(1);
  });
});

describe('an instance whose connections break', () => {
  it('receives everything that it missed after it listens again', async () => {
    const { told, until } = collect(here);
    const [grown, stopped, erased, before] = ['grown', 'stopped', 'erased', 'before'].map(parseChatId);
    if (!grown || !stopped || !erased || !before) throw new Error('Four chats are needed.');
    for (const each of [grown, stopped, erased, before]) await append(there, each);
    await until(`append ${before}`);
    proxy.refuse();
    await lost.promise;
    told.length = 0;
    await append(there, grown, 1);
    await there.runs.requestStop(stopped, run());
    await there.chats.erase(erased, 'ana', 2_000);
    await append(there, parseChatId('created'));
    expect(told).toEqual([]);
    proxy.accept();
    await until('append created');
    expect(told).toEqual(
      expect.arrayContaining([`append ${grown}`, `stop ${stopped}`, `erase ${erased}`, 'append created']),
    );
    await append(there, parseChatId('later'));
    await until('append later');
  });

  it('listens again after the server has closed every connection', async () => {
    const { until } = collect(here);
    await postgres().query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and application_name = $1',
      ['countersign'],
    );
    await lost.promise;
    await append(there, chat);
    await until(`append ${chat}`);
    expect(await here.events.read(chat, 0)).toHaveLength(1);
  });

  it('listens again after a restart of the server', async () => {
    const { until } = collect(here);
    await postgres().halt();
    await lost.promise;
    const appending = append(there, chat);
    await postgres().start();
    expect(await appending).toBe('appended');
    await until(`append ${chat}`);
    await append(here, chat, 1);
    await append(there, parseChatId('later'));
    await until('append later');
  });

  it('can be closed while it waits to connect', async () => {
    proxy.refuse();
    await lost.promise;
    await here.close();
    await expect(here.chats.head(chat)).rejects.toThrow(/closed/);
  });
});

it('a data part reaches readers on every instance, and a transient one those of its own [ADR 0031]', async () => {
  const begun = barrier();
  const read = barrier();
  const act = tool({
    inputSchema: z.object({}),
    execute: async (_input, { context: { writer } }: ToolExecutionOptions<CallContext>) => {
      begun.lift();
      await read.wait;
      await writer.write({ type: 'data-note', data: 'live', transient: true });
      await writer.write({ type: 'data-note', data: 'kept' });
      return 'done';
    },
  });
  const settings = { tools: { act } as ToolSet, release: 'progressive' as const };
  const running = flowFixture([[{ call: 'act', input: {} }], [{ text: 'Done.' }]], {
    ...settings,
    store: there,
  });
  const reading = flowFixture([], { ...settings, store: here });
  const response = running.chat().say('Go.');
  await begun.wait;
  const elsewhere = reading.chat().resume();
  read.lift();
  const notesIn = (chunks: readonly UIMessageChunk[] | null) =>
    chunks?.flatMap((chunk) => (chunk.type === 'data-note' ? [chunk.data] : []));
  expect(notesIn(await response)).toEqual(['live', 'kept']);
  expect(notesIn(await elsewhere)).toEqual(['kept']);
  expect((await reading.chat().view()).messages).toEqual((await running.chat().view()).messages);
  await running.flow.close();
  await reading.flow.close();
});
