import { join } from 'node:path';
import { createApprovalFlow } from 'countersign';
import { insights } from 'countersign/plugins/insights';
import { postgresStore, sqliteStore } from 'countersign/store';
import { scriptedModel } from 'countersign/testing';
import type { FlowStore } from '../../lib/log/store/index.ts';
import {
  createIds,
  parseApprovalId,
  parseChatId,
  parseToolCallId,
  type Question,
} from '../../lib/protocol/index.ts';
import { median } from './support/distribution.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

/** The first page of a person's chats, by how many they have. */
export type ChatLists = { readonly store: string; readonly chats: number; readonly listMs: number };

/** A report on the answers of 30 days. */
export type Reports = {
  readonly store: string;
  readonly questions: number;
  /** A report, once the questions are counted. */
  readonly reportMs: number;
  /** The counting of each question, which sweeps do once. */
  readonly countMsEach: number;
};

const samples = 50;
const atOnce = 100;
const dayMs = 86_400_000;
const operator = { id: 'olga', name: 'Olga' };

function openStores(connectionString: string): readonly [name: string, store: FlowStore][] {
  return [
    ['SQLite', sqliteStore({ path: join(temporaryFolder(), 'lists.sqlite') })],
    ['Postgres', postgresStore({ connectionString, schema: `lists_${Date.now()}` })],
  ];
}

/** @param counts ascending. One chat changes each second, which is faster than a person. */
export async function chatLists(connectionString: string, counts: readonly number[]): Promise<ChatLists[]> {
  const rows: ChatLists[] = [];
  for (const [name, store] of openStores(connectionString)) {
    let made = 0;
    for (const chats of counts) {
      while (made < chats) {
        const ids = Array.from(
          { length: Math.min(atOnce, chats - made) },
          (_, index) => `chat-${made + index}`,
        );
        made += ids.length;
        const changedAt = (index: number) => Date.now() + (made + index) * 1_000;
        await Promise.all(ids.map((id, index) => appendChat(store, id, [], changedAt(index))));
      }
      const list = () => store.chats.list({ ownerId: operator.id, limit: 50 });
      rows.push({ store: name, chats, listMs: await medianOf(list) });
    }
    await store.close();
  }
  return rows;
}

/** Questions of five tools, three risks and twenty people, spread over 30 days. */
export async function reports(connectionString: string, questions: number): Promise<Reports[]> {
  const rows: Reports[] = [];
  for (const [name, store] of openStores(connectionString)) {
    const flow = createApprovalFlow({
      store,
      model: scriptedModel([]),
      mayOperate: () => true,
      plugins: [insights()],
      sweepMs: 3_600_000,
    });
    for (let first = 0; first < questions; first += atOnce) {
      const chatId = `chat-${first}`;
      const asked = Array.from({ length: atOnce }, (_, index) => questionOf(first + index, chatId));
      await appendChat(store, chatId, asked);
    }
    const report = () => flow.insights.read({ principal: operator });
    const start = performance.now();
    const { all } = await report();
    const countMsEach = (performance.now() - start) / questions;
    if (all.settled !== questions) throw new Error(`${all.settled} of ${questions} questions are counted.`);
    rows.push({ store: name, questions, reportMs: await medianOf(report), countMsEach });
    await flow.close();
    await store.close();
  }
  return rows;
}

async function medianOf(work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const start = performance.now();
    await work();
    taken.push(performance.now() - start);
  }
  return median(taken);
}

async function appendChat(
  store: FlowStore,
  id: string,
  questions: readonly Question[],
  now = Date.now(),
): Promise<void> {
  const chatId = parseChatId(id);
  await store.append({
    chatId,
    after: 0,
    events: [
      {
        type: 'text-delta',
        textId: 't',
        delta: 'Hello.',
        seq: 1,
        at: now,
        runId: createIds(() => 'bench').run(),
      },
    ],
    head: {
      ...{
        id: chatId,
        ownerId: operator.id,
        title: 'A chat',
        createdAt: now,
        updatedAt: now,
        seq: 1,
        turnSeq: 1,
      },
      ...{ status: 'idle', runId: null, open: null, auditHead: null },
    },
    questions,
    owner: 'bench',
  });
}

/** A question whose facts follow from its number. Waiting times range from half a second to two hours. */
function questionOf(number: number, chat: string): Question {
  const requestedAt = Date.now() - ((number * 7_919) % (29 * dayMs));
  const spread = ((number * 2_654_435_761) % 1_000) / 1_000;
  const person = `person-${number % 20}`;
  return {
    ...{ id: parseApprovalId(`q-${number}`), chatId: parseChatId(chat), ownerId: operator.id },
    ...{ toolCallId: parseToolCallId(`call-${number}`), toolName: `tool-${number % 5}`, executor: 'server' },
    ...{ input: { amount: number }, description: `Pay ${number}`, askedBy: operator, requestedAt },
    risk: (['low', 'medium', 'high'] as const)[number % 3],
    state: number % 10 === 0 ? 'denied' : 'approved',
    answer: {
      ...{ approved: number % 10 !== 0, by: { id: person, name: person }, via: 'http' },
      at: Math.round(requestedAt + 500 * 14_400 ** spread),
    },
  };
}
