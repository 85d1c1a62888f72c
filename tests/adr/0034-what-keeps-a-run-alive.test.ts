import { AsyncLocalStorage } from 'node:async_hooks';
import { type ToolSet, tool } from 'ai';
import { createFetchHandler } from 'countersign/sse/server';
import { sqliteStore } from 'countersign/store';
import { fakeClock } from 'countersign/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import { adr } from '../support/adr.ts';
import { approveThenCrash } from '../support/approve-then-crash.ts';
import { barrier } from '../support/barrier.ts';
import { deploys } from '../support/deploys.ts';
import { ada, flowFixture, questionIn } from '../support/flow-fixture.ts';
import { freezable } from '../support/freezable.ts';
import { passTime } from '../support/pass-time.ts';
import { untilIdle } from '../support/until-idle.ts';

const { clause } = adr('0034-what-keeps-a-run-alive.md');

const call = [{ call: 'pay', id: 'pay-1', input: { to: 'alice', amount: 5 } }];
const done = [{ text: 'Paid.' }];
const leaseMs = 10_000;

/** A platform that freezes its process when a response is complete, unless it was asked to wait. */
function platform() {
  const awaited = new Set<Promise<unknown>>();
  let asked = 0;
  return {
    waitUntil(work: Promise<unknown>): void {
      asked += 1;
      awaited.add(work);
      void work.then(() => awaited.delete(work));
    },
    asked: () => asked,
    mayFreeze: () => awaited.size === 0,
    idle: () => Promise.all(awaited),
  };
}

/** A payment that takes until `lift`. */
function slowPayment() {
  const begun = barrier();
  const { wait, lift } = barrier();
  const paid: unknown[] = [];
  const pay = tool({
    inputSchema: z.looseObject({}),
    needsApproval: true,
    execute: async (input) => {
      paid.push(input);
      begun.lift();
      await wait;
      return 'paid';
    },
  });
  return { tools: { pay } as ToolSet, begun: begun.wait, lift, paid };
}

clause('0034.1', async () => {
  for (const isAsked of [true, false]) {
    const { waitUntil, mayFreeze, idle } = platform();
    const { tools, begun, lift } = slowPayment();
    const { flow, say, view } = flowFixture([call, done], { tools, ...(isAsked && { waitUntil }) });
    const id = questionIn(await say('Pay.'));
    await idle();
    const handler = createFetchHandler(flow, { authorize: () => ada });
    const response = await handler(
      new Request(`http://localhost/api/approvals/${id}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ approved: true }),
      }),
    );
    expect(response.status).toBe(200);
    await response.text();
    await begun;
    // Rejected: without it, the platform freezes the process in the middle of the payment.
    expect(mayFreeze()).toBe(!isAsked);
    lift();
    if (!isAsked) continue;
    await idle();
    expect((await view()).run.status).toBe('idle');
    expect(mayFreeze()).toBe(true);
  }
});

clause('0034.2', async () => {
  const requests = new AsyncLocalStorage<string>();
  const asked: (string | undefined)[] = [];
  const waitUntil = () => void asked.push(requests.getStore());
  const { say, answer } = flowFixture([call, done], { waitUntil });
  const id = questionIn(await requests.run('the message', () => say('Pay.')));
  await requests.run('the answer', () => answer(id, true));
  expect(asked).toEqual(['the message', 'the answer']);
});

clause('0034.3', async () => {
  const warned: unknown[][] = [];
  const logger = { warn: (...given: unknown[]) => void warned.push(given), error: () => {} };
  const { deploy, path, clock, ran } = deploys();
  const asking = deploy('one', [call]);
  const { say, id } = asking.chat();
  questionIn(await say('Pay.'));
  await asking.flow.close();
  const store = sqliteStore({ path });
  await approveThenCrash(store, id, clock);
  clock.advance(60_000);
  const waitUntil = () => {
    throw new Error('`waitUntil` was called outside a request.');
  };
  const { flow } = deploy('two', [done], { waitUntil, logger });
  await flow.recover();
  await expect.poll(async () => (await store.chats.head(id))?.status).toBe('idle');
  expect(ran).toMatchObject([{ deploy: 'two' }]);
  const facts = { chatId: id, runId: 'run_crashed', error: { message: expect.stringContaining('outside') } };
  const warning = 'The platform could not be asked to keep a run alive.';
  expect(warned).toMatchObject([[warning, facts]]);

  const later = async () => waitUntil();
  await flowFixture([done], { waitUntil: later, logger }).chat().say('Hi.');
  expect(warned).toMatchObject([
    [warning, facts],
    [warning, { error: facts.error }],
  ]);
});

clause('0034.4', async () => {
  const works: Promise<unknown>[] = [];
  const { wait, lift } = barrier();
  const called = barrier();
  const elsewhere = barrier();
  const ended: unknown[] = [];
  const onEnd = async ({ chatId }: { readonly chatId: unknown }) => {
    ended.push(chatId);
    if (ended.length === 1) return elsewhere.wait;
    called.lift();
    await wait;
  };
  const waitUntil = (work: Promise<unknown>) => void works.push(work);
  const { chat, say, view } = flowFixture([done, done], { waitUntil, onEnd });
  await chat('elsewhere').say('Hi.');
  await expect.poll(() => ended).toHaveLength(1);
  await say('Hi.');
  await called.wait;
  expect((await view()).run.status).toBe('idle');
  const [other, own] = works;
  const isOver = (work?: Promise<unknown>) =>
    Promise.race([work?.then(() => true), untilIdle().then(() => false)]);
  expect(await isOver(own)).toBe(false);
  lift();
  // The callback of the other chat is not waited for.
  await own;
  expect(await isOver(other)).toBe(false);
  elsewhere.lift();
  await other;
});

clause('0034.5', async () => {
  const clock = fakeClock();
  const shared = sqliteStore({ path: ':memory:' });
  const { tools, begun, lift, paid } = slowPayment();
  const two = [{ call: 'pay', id: 'pay-1', input: { to: 'alice' } }];
  const process = freezable(shared, clock);
  const settings = { tools, leaseMs, logger: { warn: () => {}, error: () => {} } };
  const first = flowFixture([two, done], { ...settings, store: process.store, clock: process.clock });
  const { say, id: chatId } = first.chat();
  const approvalId = questionIn(await say('Pay.')) as never;
  await first.flow.approvals.answer({ principal: ada, approvalId, approved: true, via: 'test' });
  await begun;
  process.freeze();

  const second = flowFixture([done], { ...settings, store: shared, clock });
  const { view, events } = second.chat();
  await passTime(clock, leaseMs + 4_000, 500);
  await second.flow.recover();
  await expect.poll(async () => (await shared.chats.head(chatId))?.status).toBe('idle');
  const before = await events();
  expect(before.find(({ type }) => type === 'tool-failed')).toMatchObject({ outcome: 'unknown' });

  lift();
  process.thaw();
  const resolved = async () => (await events()).find(({ type }) => type === 'outcome-resolved');
  await expect
    .poll(async () => {
      await passTime(clock, 1_000, 100);
      return resolved();
    })
    .toMatchObject({ source: 'late', outcome: 'completed' });
  expect((await view()).run.status).toBe('idle');
  expect(paid).toEqual([{ to: 'alice' }]);
  expect(first.model.calls).toHaveLength(1);
});
