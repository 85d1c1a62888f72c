import type { UIMessageChunk } from 'ai';
import type { FlowStore } from 'countersign/store';
import { sqliteStore } from 'countersign/store';
import { collect, type ScriptedStep } from 'countersign/testing';
import { type FlowStream, uiMessageChunks } from 'countersign/views';
import { expect } from 'vitest';
import type { Append } from '../../lib/log/store/index.ts';
import { parseApprovalId } from '../../lib/protocol/index.ts';
import { administeredSqlite } from '../support/administered-store.ts';
import { adr } from '../support/adr.ts';
import { clientMessage, messageOf, plain } from '../support/client-message.ts';
import { flowFixture, questionIn, userMessage } from '../support/flow-fixture.ts';
import { textBuffer } from './rejected/text-buffer.ts';

const { clause } = adr('0001-one-log-and-its-projections.md');

const twoQuestions: ScriptedStep[] = [
  [{ text: 'Let me look.' }, { call: 'search', input: { query: 'users' } }],
  [{ text: 'Found one.' }, { call: 'pay', input: { to: 'Alice', amount: 30 } }],
  [{ text: 'Paid.' }],
];

/** A store that records its calls for a test. */
function watched(store: FlowStore = sqliteStore({ path: ':memory:' })) {
  const batches: Append[] = [];
  const reads: number[] = [];
  const watching: FlowStore = {
    ...store,
    append: async (batch) => {
      const result = await store.append(batch);
      if (result === 'appended') batches.push(batch);
      return result;
    },
    events: {
      ...store.events,
      read: async (chatId, after, limit) => {
        reads.push(after);
        return store.events.read(chatId, after, limit);
      },
    },
  };
  return { store: watching, batches, reads };
}

/** One turn with a change of process between question and answer. Returns what was released. */
async function acrossRestart(createReader: () => (stream: FlowStream) => Promise<string>): Promise<string> {
  const { another } = administeredSqlite();
  const process = async (
    script: ScriptedStep[],
    request: (chat: ReturnType<typeof flowFixture>) => Promise<FlowStream>,
  ) => {
    const fixture = flowFixture(script, { store: another() });
    const told = await createReader()(await request(fixture));
    await fixture.flow.close();
    return told;
  };
  await process(twoQuestions.slice(0, 1), ({ ask }) => ask({ message: userMessage('u1', 'Find users.') }));
  return process(twoQuestions.slice(2), async ({ ask, view }) => {
    const { open: approvalId } = await view();
    if (!approvalId) throw new Error('The question did not survive.');
    return ask({ answers: [{ approvalId, approved: true }] });
  });
}

const textOf = (chunks: readonly UIMessageChunk[]) =>
  chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('');

clause('0001.1', async () => {
  const { flow, say, answer, view, resume } = flowFixture(twoQuestions);
  const reader = clientMessage();

  let response = await say('Find users, then pay.');
  for (const approved of [true, false]) {
    await reader.read(response);
    reader.answer(questionIn(response), approved);
    expect(await messageOf((await resume()) ?? [])).toMatchObject({ id: reader.value.id });
    response = await answer(questionIn(response), approved);
  }
  await reader.read(response);

  expect(plain((await view()).messages.at(-1))).toEqual(reader.value);
  expect(await messageOf((await resume()) ?? [])).toEqual(reader.value);
  await flow.close();
});

clause('0001.2', async () => {
  const projection = () => async (stream: FlowStream) => textOf(await collect(uiMessageChunks(stream)));
  expect(await acrossRestart(projection)).toBe('Let me look.Paid.');
  expect(await acrossRestart(textBuffer)).toBe('Paid.');
});

clause('0001.3', async () => {
  const { store, batches } = watched();
  const { flow, id, say, answer } = flowFixture(twoQuestions, { store });
  const first = questionIn(await say('Find users, then pay.'));
  await answer(first, true);
  const log = await store.events.read(id, 0);
  const head = await store.chats.head(id);
  const answering = batches.find(({ events }) => events.some(({ type }) => type === 'approval-answered'));
  if (!head || !answering) throw new Error('Nothing was answered.');

  // From another writer: the same batch with its id would be a retry of the same append.
  const { id: _id, ...isStale } = answering;
  const isClaimed: Append = {
    ...isStale,
    after: head.seq,
    events: answering.events.map((event, index) => ({ ...event, seq: head.seq + 1 + index })),
    head: { ...head, seq: head.seq + answering.events.length },
  };
  expect(await store.append(isStale)).toBe('conflict');
  expect(await store.append(isClaimed)).toBe('conflict');
  expect(await store.events.read(id, 0)).toEqual(log);
  expect(await store.chats.head(id)).toEqual(head);
  await flow.close();
});

clause('0001.4', async () => {
  const { store, batches } = watched();
  const { flow, say, answer } = flowFixture(twoQuestions, { store });
  let response = await say('Find users, then pay.');
  for (const approved of [true, true]) response = await answer(questionIn(response), approved);

  const written = batches.map(({ events }) => events.map(({ type }) => type));
  const asking = written.filter((types) => types.includes('approval-requested'));
  expect(asking).toHaveLength(2);
  for (const types of asking) expect(types.slice(-2)).toEqual(['approval-requested', 'run-suspended']);
  const requesting = written.filter((types) => types.includes('tool-requested'));
  expect(requesting).toHaveLength(2);
  for (const types of requesting) expect(types).toContain('step-finished');
  await flow.close();
});

clause('0001.5', async () => {
  const { store, reads } = watched();
  const { flow, id, say } = flowFixture(
    (_options, step) => (step < 20 ? [{ text: `Answer ${step}.` }] : twoQuestions.flat()),
    { store },
  );
  for (let turn = 0; turn < 20; turn += 1) await say(`Question ${turn}.`);
  const question = questionIn(await say('Find users, then pay.'));
  const head = await store.chats.head(id);
  if (!head) throw new Error('The chat is gone.');

  await flow.close();
  // Another instance, because this one does not read what it has written itself.
  const { flow: later, chat: chatLater } = flowFixture([], { store });
  reads.length = 0;
  const { ask } = chatLater();
  const stream = await ask({ answers: [{ approvalId: parseApprovalId(question), approved: false }] });
  await collect(uiMessageChunks(stream));
  expect(reads.length).toBeGreaterThan(0);
  expect(Math.min(...reads)).toBe(head.turnSeq - 1);
  expect(head.turnSeq).toBeGreaterThan(60);
  await later.close();
});
