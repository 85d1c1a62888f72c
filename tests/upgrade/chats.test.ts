import { isToolUIPart } from 'ai';
import { describe, expect, it } from 'vitest';
import { parseApprovalId } from '../../lib/protocol/index.ts';
import { storesOfThisRun } from '../support/matrix.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { ada, bob } from './fixture-flow.ts';
import { oldChats, ownerOf, shown } from './support/chats.ts';
import { fixtureRows } from './support/restored.ts';
import { answerAll, type Page, todaysFlow, untilAtRest } from './support/todays-flow.ts';

const postgres = setUpPostgres();
const rows = storesOfThisRun(fixtureRows(postgres), 'SQLite');

/** The calls of the last message by id, and their states. */
async function callsOf({ view }: Page) {
  const parts = (await view()).messages.at(-1)?.parts.filter(isToolUIPart) ?? [];
  return Object.fromEntries(parts.map(({ toolCallId, state }) => [toolCallId, state]));
}

async function lastText({ view }: Page) {
  const part = (await view()).messages.at(-1)?.parts.at(-1);
  return part?.type === 'text' ? part.text : undefined;
}

describe.each(rows)('%s: a database of the previous version', (_name, restore) => {
  it('shows every chat as the previous version did', async () => {
    const { flow, chat } = todaysFlow(await restore());
    const listed = await Promise.all(
      [ada, bob].map(async (principal) => (await flow.chats.list({ principal, limit: 100 })).items),
    );
    expect(
      listed
        .flat()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(Object.keys(oldChats).sort());
    for (const [id, old] of Object.entries(oldChats)) {
      const view = await chat(id, ownerOf(id)).view();
      expect(view.messages.map(shown), id).toEqual(old.messages);
      expect(view.run.status, id).toBe(old.status);
      expect(view.open, id).toBe(old.open);
    }
  });

  it('has every open question in the inbox of the people who may answer it', async () => {
    const { flow } = todaysFlow(await restore());
    const open = Object.entries(oldChats).flatMap(([id, { open }]) => (open ? [{ id, open }] : []));
    expect(open.length).toBeGreaterThan(8);
    for (const principal of [ada, bob]) {
      const { items } = await flow.approvals.list({ principal, state: 'open', limit: 100 });
      const mine = items.filter(({ mayAnswer }) => mayAnswer).map(({ chatId }) => chatId);
      const expected = open.filter(({ id }) =>
        id === 'for-others' ? principal === bob : ownerOf(id) === principal,
      );
      expect(mine.sort()).toEqual(expected.map(({ id }) => id).sort());
    }
  });

  it.for([
    ['open', ['pay:call-1-0']],
    ['between', ['pay:call-1-1']],
    ['deadline', ['book:call-1-0']],
    ['secret', ['login:call-1-0']],
    ['of-bob', ['pay:call-1-0']],
    ['two', ['pay:call-1-0', 'pay:call-1-1']],
    ['provider', []],
  ] as const)('accepts an approval in the chat "%s", and its turn ends', async ([id, runs]) => {
    const { chat, ran } = todaysFlow(await restore());
    const page = chat(id, ownerOf(id));
    await answerAll(page, true);
    expect((await page.view()).run.status).toBe('idle');
    expect(ran).toEqual(runs);
    expect(new Set(Object.values(await callsOf(page)))).toEqual(new Set(['output-available']));
    expect(await lastText(page)).toBe('Done.');
  });

  it.for(['open', 'deadline', 'secret', 'of-bob', 'provider', 'in-browser'])(
    'accepts a denial in the chat "%s", and nothing runs',
    async (id) => {
      const { chat, ran } = todaysFlow(await restore());
      const page = chat(id, ownerOf(id));
      await answerAll(page, false);
      expect((await page.view()).run.status).toBe('idle');
      expect(ran).toEqual([]);
      expect(await callsOf(page)).toEqual({ 'call-1-0': 'output-denied' });
    },
  );

  it('accepts the outcome of a client call, with or without approval', async () => {
    const { chat } = todaysFlow(await restore());
    const asked = chat('in-browser');
    await answerAll(asked, true);
    await asked.output('call-1-0', { lat: 59.9 });
    expect(await callsOf(asked)).toEqual({ 'call-1-0': 'output-available' });
    const running = chat('in-browser-running');
    await running.output('call-1-0', 'dark');
    expect(await callsOf(running)).toEqual({ 'call-1-0': 'output-available' });
    expect([await lastText(asked), await lastText(running)]).toEqual(['Done.', 'Done.']);
  });

  it('lets only the approver answer where the tool has a rule', async () => {
    const { flow, chat, ran } = todaysFlow(await restore());
    const page = chat('for-others');
    const approvalId = parseApprovalId((await page.view()).open);
    const answer = { approvalId, approved: true, via: 'test' };
    await expect(flow.approvals.answer({ principal: ada, ...answer })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await flow.approvals.answer({ principal: bob, ...answer });
    await untilAtRest(page);
    expect(ran).toEqual(['wire:call-1-0']);
    expect(await lastText(page)).toBe('Done.');
  });

  it('runs a call with its secret, and shows it to no one', async () => {
    const { chat, store, ran } = todaysFlow(await restore());
    const page = chat('secret');
    await answerAll(page, true);
    expect(ran).toEqual(['login:call-1-0']);
    const { messages } = await page.view();
    expect(messages.at(-1)?.parts).toContainEqual(
      expect.objectContaining({
        input: { user: 'ada', password: '[redacted]' },
        output: { user: 'ada', length: 'swordfish'.length },
      }),
    );
    expect(JSON.stringify(messages.slice(1))).not.toContain('swordfish');
    expect(JSON.stringify(await store.questions.read(parseApprovalId(oldChats.secret?.open)))).not.toContain(
      'swordfish',
    );
  });

  it('accepts an edited approval, and runs what was approved', async () => {
    const { chat, ran } = todaysFlow(await restore());
    const page = chat('open');
    await page.answer(String((await page.view()).open), true, { input: { to: 'alice', amount: 20 } });
    expect(ran).toEqual(['pay:call-1-0']);
    expect((await page.view()).messages.at(-1)?.parts).toContainEqual(
      expect.objectContaining({ output: { paid: 20, to: 'alice' } }),
    );
  });

  it('continues a finished chat: the model receives its texts and calls', async () => {
    const { chat, model } = todaysFlow(await restore());
    const page = chat('ended');
    await page.say('Hello again.');
    expect(await lastText(page)).toBe('You said: Hello again.');
    const told = JSON.stringify(model.calls.at(-1)?.prompt);
    for (const text of ['\\"paid\\":25', 'Sunny in Oslo.', 'You said: Thanks.']) expect(told).toContain(text);
  });
});
