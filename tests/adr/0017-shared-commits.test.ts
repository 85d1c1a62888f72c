import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { tool } from 'ai';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { z } from 'zod';
import { createApprovalFlow } from '../../lib/flow/index.ts';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { parseChatId, parseMessageId } from '../../lib/protocol/index.ts';
import { postgresStore, sqliteStore } from '../../lib/stores/index.ts';
import { scriptedModel } from '../../lib/testing/index.ts';
import { uiMessageChunks } from '../../lib/views/index.ts';
import { batch, question, started, text } from '../contract/store-batches.ts';
import { adr } from '../support/adr.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';

const { clause } = adr('0017-shared-commits.md');
const postgres = setUpPostgres();
const chats = Array.from({ length: 16 }, (_, index) => parseChatId(`chat-${index}`));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-adr-'));
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => rm(folder, { recursive: true }));

/** Each store in turn, open. */
async function onBoth(name: string, prove: (store: FlowStore) => Promise<void>): Promise<void> {
  const { connectionString, newSchema } = postgres();
  const stores = [
    sqliteStore({ path: join(folder, `${name}.db`) }),
    postgresStore({ connectionString, schema: newSchema() }),
  ];
  for (const store of stores) {
    await store.questions.lastChange();
    await prove(store);
    await store.close();
  }
}

clause('0017.1', () =>
  onBoth('refused', async (store) => {
    const [stale, claimed, ...others] = chats.map((id) => batch(id, 0, [text()]));
    if (!stale || !claimed) throw new Error('There are no chats.');
    await store.append(stale);
    await store.append(batch(claimed.chatId, 0, [started('call-1')]));

    const again = batch(claimed.chatId, 1, [text(), started('call-1')], { questions: [question('q')] });
    const late = { ...again, questions: [{ ...question('q'), chatId: claimed.chatId }] };
    const outcomes = [...others.slice(0, 7), stale, late, ...others.slice(7)].map((each) =>
      store.append(each),
    );
    expect(await Promise.all(outcomes)).toEqual([
      ...Array(7).fill('appended'),
      'conflict',
      'conflict',
      ...Array(7).fill('appended'),
    ]);
    for (const { chatId } of others) expect(await store.events.read(chatId, 0)).toHaveLength(1);
    // Rejected: all or nothing. Here only one append is refused.
    expect(await store.events.read(stale.chatId, 0)).toHaveLength(1);
    expect(await store.events.read(claimed.chatId, 0)).toHaveLength(1);
    expect(await store.questions.lastChange()).toBe(0);
  }),
);

clause('0017.2', () =>
  onBoth('shared', async (store) => {
    const commits = vi.spyOn(DatabaseSync.prototype, 'exec');
    const statements = vi.spyOn(pg.Client.prototype, 'query');
    const written = () =>
      commits.mock.calls.filter(([sql]) => sql === 'commit').length + statements.mock.calls.length;

    await Promise.all(chats.map((id) => store.append(batch(id, 0, [text()]))));
    expect(written()).toBe(1);
    // Rejected: one commit each, as for appends one after another.
    for (const id of chats) await store.append(batch(id, 1, [text()]));
    expect(written()).toBe(1 + chats.length);
    vi.restoreAllMocks();
  }),
);

clause('0017.3', async () => {
  const door = new URL('../../lib/stores/index.ts', import.meta.url);
  const path = join(folder, 'killed.db');
  const program = `
    import { sqliteStore } from ${JSON.stringify(door.href)};
    const store = sqliteStore({ path: ${JSON.stringify(path)} });
    const batches = ${JSON.stringify(chats.map((id) => batch(id, 0, [text()])))};
    await Promise.race(batches.map((batch) => store.append(batch)));
    process.kill(process.pid, 'SIGKILL');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  const [, signal] = await once(child, 'close');
  expect(signal).toBe('SIGKILL');
  // The append that was acknowledged first shared its commit with all others.
  const store = sqliteStore({ path });
  for (const id of chats) expect(await store.events.read(id, 0)).toHaveLength(1);
  await store.close();
});

clause('0017.4', async () => {
  const { connectionString, newSchema } = postgres();
  const schema = newSchema();
  const store = postgresStore({ connectionString, schema });
  const [held, ...others] = chats;
  if (!held) throw new Error('There are no chats.');
  await store.append(batch(held, 0, [text()]));
  const holder = new pg.Client(connectionString);
  await holder.connect();
  await holder.query('begin');
  await holder.query(`select from "${schema}".chats for update`);

  const waiting = store.append(batch(held, 1, [text()]));
  const written = others.map((id) => store.append(batch(id, 0, [text()])));
  expect(await Promise.all(written)).toEqual(others.map(() => 'appended'));
  expect(await store.events.read(held, 1)).toEqual([]);
  await holder.query('commit');
  expect(await waiting).toBe('appended');
  await holder.end();
  await store.close();
  // SQLite has one writer at a time: all others wait for the one that holds the file (ADR 0005.6).
});

clause('0017.5', () =>
  onBoth('beside', async (store) => {
    const order: string[] = [];
    const release = Promise.withResolvers<void>();
    const slow: FlowStore = {
      ...store,
      append: async (each) => {
        const isEnd = each.events.some(({ type }) => type === 'tool-completed');
        if (isEnd) await release.promise;
        const outcome = await store.append(each);
        if (isEnd) order.push('end durable');
        return outcome;
      },
    };
    const flow = createApprovalFlow({
      store: slow,
      model: scriptedModel((_, step) => {
        if (step === 0) return [{ call: 'look', id: 'call-1' }];
        order.push('model asked');
        release.resolve();
        return [{ text: 'Seen.' }];
      }),
      tools: { look: tool({ inputSchema: z.object({}), execute: async () => 'it' }) },
      release: 'progressive',
    });
    const stream = await flow.chats.respond({
      chatId: parseChatId('beside'),
      principal: { id: 'ana', name: 'Ana' },
      trigger: 'submit-message',
      via: 'test',
      message: { id: parseMessageId('m'), parts: [{ type: 'text', text: 'Look.' }] },
    });
    for await (const chunk of uiMessageChunks(stream)) {
      if (chunk.type === 'tool-output-available') order.push('end told');
      if (chunk.type === 'text-delta') order.push('words told');
    }
    // Rejected: to call the model after the end is durable. Each step would wait for a commit first.
    expect(order).toEqual(['model asked', 'end durable', 'end told', 'words told']);
    await flow.close();
  }),
);
