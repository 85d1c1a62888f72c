import { join } from 'node:path';
import { postgresStore, sqliteStore } from 'countersign/store';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { createIds, parseChatId, type Question } from '../../lib/protocol/index.ts';
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
export const atOnce = 100;
export const operator = { id: 'olga', name: 'Olga' };

export function openStores(connectionString: string): readonly [name: string, store: FlowStore][] {
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

export async function medianOf(work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const start = performance.now();
    await work();
    taken.push(performance.now() - start);
  }
  return median(taken);
}

export async function appendChat(
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
