import type { UIMessageChunk } from 'ai';
import { sqliteStore } from 'countersign/store';
import { dyingStore } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FlowStore } from '../../../lib/log/store/index.ts';
import { type FlowEvent, parseApprovalId } from '../../../lib/protocol/index.ts';
import { type Deploy, deploys } from '../../support/deploys.ts';
import {
  ada,
  type flowFixture,
  framed,
  questionIn,
  questionTypes,
  types,
  userMessage,
} from '../../support/flow-fixture.ts';

const input = { to: 'alice', amount: 5 };
const call = [{ call: 'pay', id: 'pay-1', input }];
const done = [{ text: 'Done.' }];
const plain = z.object({ to: z.string(), amount: z.number() });

const inbox = (id: string) => ({ approvalId: parseApprovalId(id), principal: ada, via: 'http' });
const told = (chunks: readonly UIMessageChunk[]) =>
  chunks.flatMap((chunk) =>
    chunk.type === 'tool-approval-response' ? [{ id: chunk.approvalId, approved: chunk.approved }] : [],
  );

const changes: [string, Deploy, Deploy][] = [
  ['its description', { description: 'Pays.' }, { description: 'Pays twice.' }],
  ['its schema', {}, { schema: plain.extend({ note: z.string().optional() }) }],
  ['its risk', { toolDetails: { pay: { risk: 'low' } } }, { toolDetails: { pay: { risk: 'high' } } }],
  ['its title', { toolDetails: { pay: { title: 'Pay' } } }, { toolDetails: { pay: { title: 'Refund' } } }],
  [
    'its sentence',
    { toolDetails: { pay: { describe: () => 'Pays.' } } },
    { toolDetails: { pay: { describe: () => 'Refunds.' } } },
  ],
  ['its version', {}, { toolDetails: { pay: { version: '2' } } }],
  ['its policy', {}, { toolApproval: { pay: { type: 'user-approval', reason: 'New rule.' } } as never }],
];

/** A question about a tool that has changed since, and the newer deployment on which it is answered. */
async function outdated() {
  const world = deploys();
  const id = questionIn(await world.deploy('old', [call], { description: 'Old.' }).say('Pay.'));
  return { ...world.deploy('new', [done], { description: 'New.' }), ...world, id };
}

/** The database, told that its calls failed in a way that may be tried again. */
function failed(path: string): FlowStore {
  const store = sqliteStore({ path });
  return {
    ...store,
    events: {
      ...store.events,
      async read(...place) {
        return (await store.events.read(...place)).map((event) =>
          event.type === 'tool-completed'
            ? {
                ...event,
                type: 'tool-failed',
                error: 'Busy.',
                outcome: 'failed',
                retryable: true,
                wasRetried: false,
              }
            : event,
        ) as FlowEvent[];
      },
    },
  };
}

describe('an approval counts only for the question that was shown [H10, ADR 0020]', () => {
  it('another process answers a question about an unchanged tool normally', async () => {
    const { deploy, ran } = deploys();
    const id = questionIn(await deploy('old', [call]).chat().say('Pay.'));
    await deploy('new', [done]).chat().answer(id, true);
    expect(ran).toEqual([{ deploy: 'new', input }]);
  });

  it.each(changes)(
    'a tool that has changed %s is asked about again, and runs once',
    async (_what, old, next) => {
      const { deploy, ran } = deploys();
      const id = questionIn(await deploy('old', [call], old).chat().say('Pay.'));
      const after = deploy('new', [done], next);
      const { answer, view } = after.chat();
      const response = await answer(id, true);
      expect(ran).toEqual([]);
      expect(told(response)).toEqual([{ id, approved: false }]);
      expect(types(response)).toEqual(framed('tool-approval-response', ...questionTypes));
      const again = questionIn(response);
      expect((await view()).open).toBe(again);
      expect((await view()).questions).toMatchObject([
        { id, state: 'tool-changed' },
        { id: again, state: 'open', replaces: id, position: { index: 1, of: 1 } },
      ]);
      await answer(again, true);
      expect(ran).toEqual([{ deploy: 'new', input }]);
    },
  );

  it('a client that sends both answers, like the standard predicate, has the second one counted', async () => {
    const { id, ran, answer, answers } = await outdated();
    const again = questionIn(await answer(id, true));
    const both = [id, again].map((each) => ({ approvalId: parseApprovalId(each), approved: each === again }));
    expect(types(await answers(both))).toContain('tool-output-available');
    expect(ran).toEqual([{ deploy: 'new', input }]);
  });

  it('two approvals of the old question at once ask again only once', async () => {
    const { id, ran, deploy, flow, chat } = await outdated();
    const other = deploy('new', [done], { description: 'New.' });
    const results = await Promise.allSettled([
      flow.approvals.answer({ ...inbox(id), approved: true }),
      other.flow.approvals.answer({ ...inbox(id), approved: true }),
      chat().answer(id, true),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    const { questions } = await chat().view();
    expect(questions.map(({ state }) => state)).toEqual(['tool-changed', 'open']);
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      expect(result.reason).toMatchObject({
        code: 'question-changed',
        fields: { replacedBy: questions[1]?.id },
      });
    }
    expect(ran).toEqual([]);
  });

  it('a retry that a person requests uses the current policy', async () => {
    const { deploy, path } = deploys();
    const before = deploy('old', [call, done], { needsApproval: false });
    const { say, id: chatId, events } = before.chat();
    await say('Pay.');
    const completed = (await events()).find((event) => event.type === 'tool-completed');
    if (completed?.type !== 'tool-completed') throw new Error('Nothing ran.');
    const after = deploy(
      'new',
      [done],
      { toolApproval: { pay: { type: 'denied', reason: 'Closed.' } } as never },
      failed(path),
    );
    const stream = await after.flow.chats.retryCall({
      principal: ada,
      chatId,
      toolCallId: completed.toolCallId,
    });
    await after.read(stream);
    expect(JSON.stringify(after.model.calls.at(-1)?.prompt)).toContain('Closed.');
  });

  it('the old part is denied with the outcomes, and the stored chat equals the stream', async () => {
    const { id, answer, view } = await outdated();
    const last = await answer(questionIn(await answer(id, true)), true);
    expect(types(last).filter((type) => type.startsWith('tool-output'))).toEqual([
      'tool-output-denied',
      'tool-output-available',
    ]);
    const parts = (await view()).messages.at(-1)?.parts.filter(({ type }) => type === 'tool-pay');
    expect(parts).toMatchObject([{ state: 'output-denied' }, { state: 'output-available', output: 'paid' }]);
  });

  it('the inbox gets 409 and the id of the new question, also the second time [H10]', async () => {
    const { id, ran, flow, chat } = await outdated();
    const first = flow.approvals.answer({ ...inbox(id), approved: true });
    await expect(first).rejects.toMatchObject({ code: 'question-changed', fields: { approvalId: id } });
    const { open } = await chat().view();
    await expect(flow.approvals.answer({ ...inbox(id), approved: false })).rejects.toMatchObject({
      code: 'question-changed',
      fields: { approvalId: id, replacedBy: open },
    });
    expect(ran).toEqual([]);
    await flow.approvals.answer({ ...inbox(String(open)), approved: true });
    await expect.poll(() => ran).toHaveLength(1);
  });

  it('an edit of an outdated question runs nothing', async () => {
    const { id, ran, answer } = await outdated();
    const response = await answer(id, true, { input: { to: 'bob', amount: 7 } });
    expect(told(response)).toEqual([{ id, approved: false }]);
    expect(ran).toEqual([]);
  });

  it('a denial of an outdated question counts, and nothing is asked again', async () => {
    const { id, ran, answer, view } = await outdated();
    await answer(id, false, { reason: 'No.' });
    expect((await view()).questions).toMatchObject([{ id, state: 'denied', answer: { reason: 'No.' } }]);
    expect(ran).toEqual([]);
  });

  it('a policy that now denies, denies the call', async () => {
    const { deploy, ran } = deploys();
    const id = questionIn(await deploy('old', [call]).chat().say('Pay.'));
    const { chat, model, flow } = deploy('new', [done], {
      toolApproval: { pay: { type: 'denied', reason: 'Payments are closed.' } } as never,
    });
    await expect(flow.approvals.answer({ ...inbox(id), approved: true })).rejects.toMatchObject({
      code: 'question-changed',
      fields: { approvalId: id },
    });
    await expect.poll(async () => (await chat().view()).run.status).toBe('idle');
    expect(JSON.stringify(model.calls[0]?.prompt)).toContain('Payments are closed.');
    expect(ran).toEqual([]);
  });

  it('a policy that no longer asks lets the call run', async () => {
    const { deploy, ran } = deploys();
    const id = questionIn(await deploy('old', [call]).chat().say('Pay.'));
    const response = await deploy('new', [done], { needsApproval: false }).chat().answer(id, true);
    expect(told(response)).toEqual([{ id, approved: false }]);
    expect(ran).toEqual([{ deploy: 'new', input }]);
  });

  it('arguments that do not fit the new schema fail the call, and the model sees this', async () => {
    const { deploy, ran } = deploys();
    const id = questionIn(await deploy('old', [call]).chat().say('Pay.'));
    const { chat, model } = deploy('new', [done], { schema: z.object({ iban: z.string() }) });
    await chat().answer(id, true);
    expect(JSON.stringify(model.calls[0]?.prompt)).toContain('Invalid input');
    expect(ran).toEqual([]);
  });

  it('the new question takes the old one’s place, before the questions after it', async () => {
    const { deploy } = deploys();
    const two = [...call, { call: 'pay', id: 'pay-2', input: { to: 'bob', amount: 6 } }];
    const id = questionIn(await deploy('old', [two], { description: 'Old.' }).chat().say('Pay.'));
    const { answer, view } = deploy('new', [done], { description: 'New.' }).chat();
    const again = questionIn(await answer(id, true));
    expect((await view()).questions.at(-1)).toMatchObject({
      id: again,
      input,
      position: { index: 1, of: 2 },
    });
    questionIn(await answer(again, true));
    expect((await view()).questions.at(-1)).toMatchObject({
      input: { to: 'bob', amount: 6 },
      position: { index: 2, of: 2 },
    });
  });

  it('a remembered approval of the current tool answers the new question', async () => {
    const { deploy, ran } = deploys();
    const remember = { scope: 'me', match: 'tool' } as const;
    const first = deploy('new', [call, done], { description: 'New.' }).chat('first');
    await first.answer(questionIn(await first.say('Pay.')), true, { plugins: { remembered: remember } });
    const id = questionIn(await deploy('old', [call], { description: 'Old.' }).chat().say('Pay.'));
    await deploy('new', [done], { description: 'New.' }).chat().answer(id, true);
    expect(ran.map((one) => one.deploy)).toEqual(['new', 'new']);
  });

  it('a replacement question also says that the same call ran a short time ago', async () => {
    const { deploy } = deploys();
    const old = deploy('old', [call, done, [{ ...call[0], id: 'pay-2' } as never]], { description: 'Old.' });
    const { say, answer } = old.chat();
    await answer(questionIn(await say('Pay.')), true);
    const id = questionIn(await say('Again.'));
    const next = deploy('new', [done], { description: 'New.' }).chat();
    await next.answer(id, true);
    expect((await next.view()).questions.at(-1)).toMatchObject({
      replaces: id,
      repeatOf: { outcome: 'completed' },
    });
  });

  it('a message with such an approval withdraws the question, and runs nothing', async () => {
    const { id, ran, read, ask, view } = await outdated();
    const answers = [{ approvalId: parseApprovalId(id), approved: true }];
    await read(await ask({ message: userMessage('later', 'Forget it.'), answers }));
    expect((await view()).questions).toMatchObject([{ id, state: 'superseded' }]);
    expect(ran).toEqual([]);
  });
});

describe('reading an outdated question only marks it [H10, ADR 0020]', () => {
  it('the inbox, the question, its chat and a replay mark it as outdated, and write nothing', async () => {
    const { deploy } = deploys();
    const old = deploy('old', [call], { description: 'Old.' });
    const approvalId = parseApprovalId(questionIn(await old.chat().say('Pay.')));
    const { flow, view, events, resume } = deploy('new', [done], { description: 'New.' });
    const before = await events();
    const { items } = await flow.approvals.list({ principal: ada, state: 'open' });
    expect(items).toMatchObject([{ id: approvalId, outdated: true }]);
    expect(await flow.approvals.read({ principal: ada, approvalId })).toMatchObject({ outdated: true });
    const { questions, messages } = await view();
    expect(questions).toMatchObject([{ outdated: true }]);
    const shown = { approval: { descriptor: { outdated: true } } };
    expect(messages.at(-1)?.parts.at(-1)).toMatchObject(shown);
    const replayed = (await resume())?.find(({ type }) => type === 'tool-approval-request');
    expect(replayed).toMatchObject({ approvalDescriptor: { outdated: true } });
    expect(await events()).toEqual(before);
    expect(await old.flow.approvals.read({ principal: ada, approvalId })).not.toHaveProperty('outdated');
  });
});

describe('the sweep of outdated questions [H10, ADR 0020]', () => {
  const leaseMs = 10_000;
  const sweepMs = 3_000;
  const timed = { leaseMs, sweepMs };
  const stateOf = async ({ flow }: ReturnType<typeof flowFixture>, id: string) =>
    (await flow.approvals.read({ principal: ada, approvalId: parseApprovalId(id) })).state;

  it('waits for the length of a lease even if no other instance is alive', async () => {
    const { deploy, clock } = deploys();
    const old = deploy('old', [call], { description: 'Old.', ...timed });
    const id = questionIn(await old.chat().say('Pay.'));
    await old.flow.close();
    const next = deploy('new', [done], { description: 'New.', ...timed });
    await next.flow.recover();
    clock.advance(leaseMs - 1);
    await next.flow.recover();
    expect(await stateOf(next, id)).toBe('open');
    clock.advance(1);
    await next.flow.recover();
    expect(await stateOf(next, id)).toBe('tool-changed');
  });

  it('asks once from two instances of the new deployment', async () => {
    const { deploy, clock } = deploys();
    const old = deploy('old', [call], { description: 'Old.', ...timed });
    const id = questionIn(await old.chat().say('Pay.'));
    await old.flow.close();
    const two = [1, 2].map(() => deploy('new', [done], { description: 'New.', ...timed }));
    await Promise.all(two.map(({ flow }) => flow.recover()));
    clock.advance(leaseMs);
    await Promise.all(two.map(({ flow }) => flow.recover()));
    await Promise.all(two.map(({ flow }) => flow.recover()));
    const view = await two[0]?.chat().view();
    expect(view?.questions.map(({ state }) => state)).toEqual(['tool-changed', 'open']);
    expect(view?.questions[0]?.id).toBe(id);
  });

  it('finds every page of questions that were open at start-up', async () => {
    const { deploy, clock } = deploys();
    const old = deploy('old', () => call, { description: 'Old.', ...timed });
    await Promise.all(Array.from({ length: 130 }, (_, index) => old.chat(`chat-${index}`).say('Pay.')));
    await old.flow.close();
    const next = deploy('new', [], { description: 'New.', ...timed });
    await next.flow.recover();
    await next.flow.recover();
    clock.advance(leaseMs);
    await next.flow.recover();
    await next.flow.recover();
    const open = await next.flow.approvals.list({ principal: ada, state: 'open', limit: 200 });
    const withdrawn = await next.flow.approvals.list({ principal: ada, state: 'tool-changed', limit: 200 });
    expect([open.items.length, withdrawn.items.length]).toEqual([130, 130]);
  });
});

describe('a tool that changes between the approval and the start', () => {
  const leaseMs = 10_000;
  const old: Deploy = { description: 'Old.', leaseMs };
  const next: Deploy = { description: 'New.', leaseMs };

  /** An old instance that dies as soon as an event of this type is durable, and a new one that takes over. */
  async function replacedAfter(
    event: FlowEvent['type'],
    act: (chat: ReturnType<ReturnType<typeof flowFixture>['chat']>) => Promise<unknown>,
    settings: Deploy = {},
  ) {
    const { deploy, ran, clock, path } = deploys();
    const point = { when: 'after', event } as const;
    const { store, died } = dyingStore(sqliteStore({ path }), point);
    const before = deploy('old', [call, done, call], { ...old, ...settings }, store).chat();
    act(before).catch(() => {});
    await died;
    clock.advance(leaseMs);
    const after = deploy('new', [done], { ...next, ...settings });
    const chat = after.chat();
    await after.flow.recover();
    await expect.poll(async () => (await chat.view()).run.status).not.toBe('active');
    return { ran, chat };
  }

  it('is asked about if a remembered approval had replaced the answer', async () => {
    const { ran, chat } = await replacedAfter('approval-granted', async ({ say, answer }) => {
      await answer(questionIn(await say('Pay.')), true, {
        plugins: { remembered: { scope: 'me', match: 'tool' } },
      });
      await say('Pay again.');
    });
    expect(ran).toEqual([{ deploy: 'old', input }]);
    expect((await chat.view()).questions.at(-1)).toMatchObject({ state: 'open', toolName: 'pay' });
  });

  it('does not run again what the old tool started, idempotent or not', async () => {
    const settings = { toolDetails: { pay: { idempotent: true } } };
    const { ran, chat } = await replacedAfter(
      'tool-started',
      async ({ say, answer }) => answer(questionIn(await say('Pay.')), true),
      settings,
    );
    expect(ran).toEqual([]);
    expect((await chat.events()).find(({ type }) => type === 'tool-failed')).toMatchObject({
      outcome: 'unknown',
      error: expect.stringContaining('The tool has changed'),
    });
  });
});
