import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, DatabaseSync, StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Append } from '../../lib/log/store/index.ts';
import { type EventBody, parseChatId, parseMessageId, parseToolCallId } from '../../lib/protocol/index.ts';
import { sqliteStore } from '../../lib/stores/index.ts';
import { openDatabase } from '../../lib/stores/sqlite/database.ts';
import { prepareStatements } from '../../lib/stores/sqlite/statements.ts';
import { ana, approval, batch, chat, question, started, text } from '../contract/store-batches.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-costs-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

it('appends with one statement per table, in one transaction, and prepares nothing', async () => {
  const store = sqliteStore({ path: join(folder, 'store.db') });
  await store.append(batch(chat, 0, [text()]));

  const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
  const executed = vi.spyOn(DatabaseSync.prototype, 'exec');
  const run = vi.spyOn(StatementSync.prototype, 'run');
  const got = vi.spyOn(StatementSync.prototype, 'get');
  const events = [text(), started('call-1'), started('call-2')];
  expect(await store.append(batch(chat, 1, events, { questions: [question('q')] }))).toBe('appended');

  expect(executed.mock.calls.flat()).toEqual(['begin immediate', 'commit']);
  // The head; then events and question.
  expect(got).toHaveBeenCalledTimes(1);
  expect(run).toHaveBeenCalledTimes(2);
  // A plugin's record costs one statement more than the event.
  const records = [{ plugin: 'tides', kind: 'note', key: 'a', value: '', expects: 'absent' }] as const;
  expect(await store.append({ ...batch(chat, 4, [text()]), records })).toBe('appended');
  expect(run).toHaveBeenCalledTimes(2 + 2);
  // Eight rows are one statement.
  expect(await store.append(batch(chat, 5, Array<EventBody>(17).fill(text())))).toBe('appended');
  expect(run).toHaveBeenCalledTimes(2 + 2 + 3);
  expect((await store.events.read(chat, 5)).map(({ seq }) => seq)).toEqual(
    Array.from({ length: 17 }, (_, at) => at + 6),
  );
  expect(prepared).not.toHaveBeenCalled();
  await store.close();
});

it('compiles no statement again when other values are bound to it', () => {
  const db = openDatabase(':memory:');
  const statements = Object.entries(prepareStatements(db)).flatMap(([name, prepared]) =>
    (prepared instanceof StatementSync ? [prepared] : prepared).map((statement) => ({ name, statement })),
  );
  const compiled = new Set<string>();
  let using = '';
  // Called while a statement is compiled. Setting it has every statement compiled once more.
  db.setAuthorizer(() => {
    compiled.add(using);
    return constants.SQLITE_OK;
  });
  const useAll = (value: number) => {
    for (const { name, statement } of statements) {
      using = name;
      const parameters = statement.sourceSQL.split('?').length - 1;
      try {
        statement.all(...Array<number>(parameters).fill(value));
      } catch {
        // A constraint of the table is checked when the statement has been compiled.
      }
    }
  };
  useAll(1);
  expect(compiled.size).toBeGreaterThan(50);
  compiled.clear();
  useAll(2);
  expect([...compiled]).toEqual([]);
  db.close();
});

it('writes concurrent appends in one transaction', async () => {
  const store = sqliteStore({ path: join(folder, 'store.db') });
  const executed = vi.spyOn(DatabaseSync.prototype, 'exec');
  const chats = Array.from({ length: 16 }, (_, index) => parseChatId(`chat-${index}`));
  await Promise.all(chats.map((id) => store.append(batch(id, 0, [text()]))));
  expect(executed.mock.calls.flat().filter((sql) => sql === 'commit')).toHaveLength(1);
  await store.close();
});

it('renews the leases of all runs in one transaction, each on its own', async () => {
  const store = sqliteStore({ path: join(folder, 'store.db') });
  const chats = Array.from({ length: 16 }, (_, index) => parseChatId(`chat-${index}`));
  const lease = { owner: 'here', until: 2_000 };
  await Promise.all(chats.map((id) => store.append(batch(id, 0, [text()], { lease }))));
  const executed = vi.spyOn(DatabaseSync.prototype, 'exec');
  const claims = chats.map((id, index) =>
    store.runs.claimLease(id, { owner: index % 2 === 0 ? 'here' : 'there', until: 9_000 }, 1_000),
  );
  expect(await Promise.all(claims)).toEqual(chats.map((_, index) => index % 2 === 0));
  expect(executed.mock.calls.flat()).toEqual(['begin immediate', 'commit']);
  await store.close();
});

it('writes a page of each index that a question needs, and no other, when it is asked and when it is answered', async () => {
  const path = join(folder, 'store.db');
  const store = sqliteStore({ path });
  const beside = new DatabaseSync(path);
  const pagesOf = async (append: Append) => {
    beside.exec('pragma wal_checkpoint(truncate)');
    await store.append(append);
    return beside.prepare('pragma wal_checkpoint(passive)').get()?.log;
  };
  const lease = { owner: 'here', until: 9_000 };
  await store.append(batch(chat, 0, [text()], { lease }));
  const isAsked = batch(chat, 1, [text()], { questions: [question('q')], lease: null });
  const call = { toolCallId: parseToolCallId('call-1'), digest: 'pay', askerId: ana.id, at: 1_000 };
  const isAnswered = batch(chat, 2, [started('call-1')], {
    questions: [question('q', { state: 'approved' })],
    calls: [call],
    lease,
  });
  // Chat and its lease; event and its index; question and its id, its places in the feed and of its last event, and by chat,
  // owner and state.
  expect(await pagesOf(isAsked)).toBe(11);
  // The same without the id; the claim; the mark of the call and its digest.
  expect(await pagesOf(isAnswered)).toBe(13);
  beside.close();
  await store.close();
});

it('lists chats with one statement, and moves a chat within the list only when its second changes', async () => {
  const path = join(folder, 'store.db');
  const store = sqliteStore({ path });
  const listed = () => store.chats.list({ ownerId: ana.id, limit: 9 });
  for (const id of ['a', 'b']) await store.append(batch(parseChatId(id), 0, [text()], { at: 1_000 }));
  const all = vi.spyOn(StatementSync.prototype, 'all');
  const got = vi.spyOn(StatementSync.prototype, 'get');
  await listed();
  expect([all.mock.calls.length, got.mock.calls.length]).toEqual([1, 0]);
  const run = vi.spyOn(StatementSync.prototype, 'run');
  const pages = async (after: number, at: number) => {
    run.mockClear();
    const beside = new DatabaseSync(path);
    beside.exec('pragma wal_checkpoint(truncate)');
    await store.append(batch(parseChatId('a'), after, [text()], { at }));
    const { log } = beside.prepare('pragma wal_checkpoint(passive)').get() ?? {};
    beside.close();
    return [log, run.mock.calls.length];
  };
  // Chat; event and its index. Then also the index of the list.
  expect(await pages(1, 1_999)).toEqual([3, 1]);
  expect(await pages(2, 2_000)).toEqual([4, 1]);
  expect((await listed()).items.map(({ id }) => id)).toEqual(['a', 'b']);
  await store.close();
});

it('reads no more of a log than requested', async () => {
  const store = sqliteStore({ path: join(folder, 'store.db') });
  await store.append(batch(chat, 0, Array<EventBody>(1_000).fill(text())));
  const all = vi.spyOn(StatementSync.prototype, 'all');
  await store.events.read(chat, 995);
  expect(all.mock.results.map(({ value }) => value.length)).toEqual([5]);
  await store.close();
});

/** `Pay Alice 30 and Bob 40` from the first word to the last, as the engine logs it. */
function payBoth(id: string) {
  const recipients = ['Alice', 'Bob'];
  const callOf = (name: string) => parseToolCallId(`call_${id}_f81d4fae7dec11d0a765_${name}`);
  const approvalOf = (name: string) => approval(`apr_${id}_f81d4fae7dec11d0a76500a0c91e_${name}`);
  const describeCall = (name: string) => ({
    toolCallId: callOf(name),
    toolName: 'process_payment',
    input: { recipient: name, amount: 30, currency: 'EUR' },
  });
  const outcomeOf = (name: string) => ({
    status: 'paid',
    recipient: name,
    amount: 30,
    reference: `ref-${id}`,
  });
  const questions = recipients.map((name) =>
    question(approvalOf(name), {
      ...describeCall(name),
      chatId: parseChatId(id),
      description: `Pay 30 EUR to ${name}`,
      risk: 'high',
      state: 'approved',
      answer: { approved: true, by: ana, at: 2_000, via: 'sse' },
    }),
  );
  const step = (number: number, messages: Extract<EventBody, { type: 'step-finished' }>['messages']) =>
    ({
      type: 'step-finished',
      step: number,
      messages,
      finishReason: 'stop',
      usage: { inputTokens: 412, outputTokens: 58 },
    }) satisfies EventBody;
  const bodies: EventBody[] = [
    {
      type: 'message-received',
      messageId: parseMessageId(`msg_${id}`),
      parts: [{ type: 'text', text: 'Pay Alice 30 and Bob 40' }],
      by: ana,
    },
    { type: 'run-started', messageId: parseMessageId(`msg_${id}_a`), release: 'final', by: ana },
    { type: 'step-started', step: 1 },
    text('I will pay Alice 30 EUR and Bob 40 EUR. Both need your approval first.'),
    step(1, [
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I will pay Alice 30 EUR and Bob 40 EUR. Both need your approval first.' },
          ...recipients.map((name) => ({ type: 'tool-call' as const, ...describeCall(name) })),
        ],
      },
    ]),
    ...recipients.map(
      (name): EventBody => ({
        type: 'tool-requested',
        ...describeCall(name),
        executor: 'server',
        kind: 'function',
        gate: { type: 'ask' },
      }),
    ),
    ...recipients.flatMap((name): EventBody[] => [
      {
        type: 'approval-requested',
        approvalId: approvalOf(name),
        toolCallId: callOf(name),
        description: `Pay 30 EUR to ${name}`,
        risk: 'high',
        position: { index: 1, of: 2 },
        askedBy: ana,
      },
      { type: 'run-suspended', toolCallId: callOf(name) },
      { type: 'run-started', messageId: parseMessageId(`msg_${id}_a`), release: 'final', by: ana },
      {
        type: 'approval-answered',
        approvalId: approvalOf(name),
        toolCallId: callOf(name),
        approved: true,
        by: ana,
        via: 'sse',
      },
      { ...describeCall(name), type: 'tool-started' },
      {
        type: 'tool-completed',
        toolCallId: callOf(name),
        output: outcomeOf(name),
        modelOutput: { type: 'json', value: outcomeOf(name) },
        summary: `30 EUR paid to ${name}`,
        resultCount: 1,
        durationMs: 120,
      },
    ]),
    { type: 'step-started', step: 2 },
    text('Alice was paid 30 EUR. '),
    text('Bob was paid 40 EUR.'),
    step(2, [{ role: 'assistant', content: 'Alice was paid 30 EUR. Bob was paid 40 EUR.' }]),
    { type: 'run-completed', finishReason: 'stop', why: 'answered' },
  ];
  return batch(parseChatId(id), 0, bodies, { questions });
}

it('keeps a finished flow of two approvals in at most 7.5 KiB of disk, including indexes, beside the empty tables', async () => {
  const path = join(folder, 'store.db');
  await sqliteStore({ path }).close();
  const empty = statSync(path).size;
  const store = sqliteStore({ path });
  const flows = 200;
  for (let flow = 0; flow < flows; flow += 1) await store.append(payBoth(`chat_${flow}`));
  await store.close();
  expect((statSync(path).size - empty) / flows).toBeLessThan(7.5 * 1_024);
});
