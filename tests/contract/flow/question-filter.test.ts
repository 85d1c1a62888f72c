import type { ApprovalFlow, Principal, Question } from 'countersign';
import type { FlowStore } from 'countersign/store';
import { sqliteStore } from 'countersign/store';
import { fakeClock, type Script } from 'countersign/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseChatId } from '../../../lib/protocol/index.ts';
import { flowFixture } from '../../support/flow-fixture.ts';

const ada: Principal = { id: 'ada', name: 'Ada' };
const bob: Principal = { id: 'bob', name: 'Bob' };
const manager: Principal = { id: 'manager', name: 'Manager' };
const start = Date.UTC(2026, 0, 5, 9);
const minute = 60_000;

/** Asks about the tool that the message names. */
const script: Script = ({ prompt }) => [
  JSON.stringify(prompt.at(-1)).includes('search')
    ? { call: 'search', input: { query: 'x' } }
    : { call: 'pay', input: { to: 'Alice', amount: 1 } },
];

/** Who asked about which tool, one a minute, each in a chat of its own: `ada-pay-0`, `bob-pay-1`, … */
const asked = [ada, bob, ada].flatMap((who) => ['pay', 'search', 'pay'].map((tool) => [who, tool] as const));

type Filter = Partial<Parameters<ApprovalFlow['approvals']['list']>[0]>;

/** The questions above, open, and a manager who may answer them all. Reads of the store are counted. */
async function withQuestions() {
  const clock = fakeClock(start);
  const store = sqliteStore({ path: ':memory:' });
  const reads = { rows: 0 };
  const counted: FlowStore = {
    ...store,
    questions: {
      ...store.questions,
      list: async (query) => {
        const page = await store.questions.list(query);
        reads.rows += page.items.length;
        return page;
      },
    },
  };
  const { flow, chat } = flowFixture(script, {
    store: counted,
    clock,
    sweepMs: 1e9,
    formerIds: { 'bob@old': 'bob' },
    mayAnswer: ({ id }, { ownerId }) => id === ownerId || id === 'manager',
  });
  onTestFinished(async () => {
    await flow.close();
    await store.close();
  });
  for (const [index, [who, tool]] of asked.entries()) {
    await chat(`${who.id}-${tool}-${index}`, who).say(tool);
    clock.advance(minute);
  }
  const list = (principal: Principal, filter: Filter) =>
    flow.approvals.list({ principal, state: 'open', ...filter });
  /** Denies what is open. */
  const settle = async (chatId?: string) => {
    for (const { id } of (await list(manager, chatId ? { chatId: parseChatId(chatId) } : {})).items) {
      await flow.approvals.answer({ principal: manager, approvalId: id, approved: false, via: 'http' });
    }
  };
  return { flow, store: counted, list, settle, reads };
}

const at = (index: number) => start + index * minute;
const whole = asked.map(([who, tool], index) => `${who.id}-${tool}-${index}`);

const rows: readonly (readonly [what: string, filter: Filter, indexes: readonly number[]])[] = [
  ['a tool', { toolName: 'search' }, [1, 4, 7]],
  ['a chat', { chatId: parseChatId('bob-pay-3') }, [3]],
  ['a person who asked', { askedBy: 'bob' }, [3, 4, 5]],
  ['a person by a former id', { askedBy: 'bob@old' }, [3, 4, 5]],
  ['an age, at least', { requestedBefore: at(2) }, [0, 1]],
  ['an age, at most', { requestedSince: at(7) }, [7, 8]],
  ['a time', { requestedSince: at(2), requestedBefore: at(4) }, [2, 3]],
  ['several at once', { toolName: 'pay', askedBy: 'ada', requestedSince: at(1) }, [2, 6, 8]],
  ['words, in any case and order', { text: 'ADA pay' }, [0, 2, 6, 8]],
  ['a risk', { risk: 'high' }, []],
  ['what no question has', { toolName: 'weather' }, []],
];

describe('a list of questions with a filter [H9]', () => {
  it('by each field: has what fits, oldest first, in full pages', async () => {
    const { list } = await withQuestions();
    for (const [what, filter, indexes] of rows) {
      const expected = indexes.map((index) => whole[index]);
      const { items, next } = await list(manager, filter);
      expect([what, items.map(({ chatId }) => chatId), next]).toEqual([what, expected, undefined]);

      const pages: string[][] = [];
      let cursor: string | undefined;
      do {
        const page = await list(manager, { ...filter, limit: 2, ...(cursor !== undefined && { cursor }) });
        pages.push(page.items.map(({ chatId }) => chatId));
        cursor = page.next;
      } while (cursor !== undefined);
      expect([what, pages.flat()]).toEqual([what, expected]);
      // No page is short but the last one.
      expect(pages.slice(0, -1).every(({ length }) => length === 2)).toBe(true);
    }
  });

  it('has the open questions if the request names no state', async () => {
    const { flow } = await withQuestions();
    const { items } = await flow.approvals.list({ principal: manager, limit: Number.POSITIVE_INFINITY });
    expect(items.map(({ chatId }) => chatId)).toEqual(whole);
  });

  it.each([
    [{ state: 'nonsense' as never }, '`state` must be one of: open, approved'],
    [{ limit: Number.NaN }, '`limit` must be a whole number.'],
    [{ limit: 1.5 }, '`limit` must be a whole number.'],
  ])('is refused for %o', async (filter, message) => {
    const { flow } = flowFixture([]);
    onTestFinished(() => flow.close());
    const refused = { code: 'invalid-request', message: expect.stringContaining(message) };
    await expect(flow.approvals.list({ principal: ada, ...filter })).rejects.toMatchObject(refused);
  });

  it('shows nobody more than the list without a filter', async () => {
    const { list } = await withQuestions();
    const { items } = await list(bob, { toolName: 'search' });
    expect(items.map(({ chatId }) => chatId)).toEqual(['bob-search-4']);
    expect((await list(bob, { askedBy: 'ada' })).items).toEqual([]);
    expect((await list(bob, { chatId: parseChatId('ada-pay-0') })).items).toEqual([]);
  });

  it('reads no further than the time that it ends at', async () => {
    const { list, reads } = await withQuestions();
    reads.rows = 0;
    await list(manager, { requestedBefore: at(1), limit: 1 });
    expect(reads.rows).toBe(2);
  });
});

describe('a list of settled questions [H9]', () => {
  it('has what fits a filter, the latest asked first, and nothing that is open', async () => {
    const { list, settle } = await withQuestions();
    expect((await list(manager, { state: 'settled' })).items).toEqual([]);
    await settle('bob-pay-3');
    expect((await list(manager, { state: 'settled' })).items).toMatchObject([
      { chatId: 'bob-pay-3', state: 'denied' },
    ]);
    await settle();
    for (const [what, filter, indexes] of rows) {
      const expected = indexes.map((index) => whole[index]).toReversed();
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const from = cursor === undefined ? {} : { cursor };
        const { items, next } = await list(manager, { ...filter, state: 'settled', limit: 2, ...from });
        found.push(...items.map(({ chatId }) => chatId));
        cursor = next;
      } while (cursor !== undefined);
      expect([what, found]).toEqual([what, expected]);
    }
  });

  it('shows nobody more than they may see, and counts only that', async () => {
    const { list, settle } = await withQuestions();
    await settle();
    const { items, searched } = await list(bob, { state: 'settled', text: 'search' });
    expect(items.map(({ chatId }) => chatId)).toEqual(['bob-search-4']);
    expect(searched).toBe(3);
    for (const filter of [{ askedBy: 'ada' }, { chatId: parseChatId('ada-pay-0') }, { text: 'ada' }]) {
      const page = await list(bob, { state: 'settled', ...filter });
      expect(page).toEqual({ items: [], searched: 3 });
    }
  });

  it('searches 200 questions for a page, and continues after them', async () => {
    const { flow, store, list, settle } = await withQuestions();
    await settle();
    const [example] = (await list(manager, { state: 'settled', limit: 1 })).items;
    const copies = Array.from({ length: 450 }, (_, index) => ({
      ...example,
      chatId: parseChatId(`copy-${index}`),
      ownerId: index % 2 ? 'ada' : 'hidden',
      requestedAt: at(100 + index),
    }));
    vi.spyOn(store.questions, 'settled').mockImplementation(listOf(copies as Question[]));
    const search = (cursor?: string) =>
      flow.approvals.list({
        ...{ principal: ada, state: 'settled', text: 'nothing', limit: 5 },
        ...(cursor !== undefined && { cursor }),
      });
    const first = await search();
    expect(first).toEqual({ items: [], searched: 200, next: expect.any(String) });
    // Ada may see 225 of them.
    expect(await search(first.next)).toEqual({ items: [], searched: 25 });
  });
});

/** The list of a store that has these questions, the last of them asked last. */
function listOf(questions: readonly Question[]): FlowStore['questions']['settled'] {
  const latest = questions.toReversed();
  return async ({ cursor = '0', limit }) => {
    const start = Number(cursor);
    const items = latest.slice(start, start + limit);
    const cursors = items.map((_, index) => String(start + index + 1));
    const next = start + limit < latest.length ? cursors.at(-1) : undefined;
    return { items, cursors, ...(next !== undefined && { next }) };
  };
}
