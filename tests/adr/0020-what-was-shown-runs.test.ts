import type { ToolSet } from 'ai';
import { sqliteStore } from 'countersign/store';
import { interceptedStore } from 'countersign/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import { parseApprovalId } from '../../lib/protocol/index.ts';
import { adr } from '../support/adr.ts';
import { approveThenCrash } from '../support/approve-then-crash.ts';
import { deploys } from '../support/deploys.ts';
import { ada, countingTools, flowFixture, questionIn } from '../support/flow-fixture.ts';
import { modes } from '../support/modes.ts';
import { rawChat } from '../support/raw-client.ts';
import { serveFixture } from '../support/serve-fixture.ts';
import { holdsById } from './rejected/approval-by-id.ts';
import { runAfterEdit } from './rejected/parse-what-was-parsed.ts';
import { askedBackAndForth } from './rejected/withdraw-at-first-sight.ts';

const { clause } = adr('0020-what-was-shown-runs.md');

const cents = z.object({ to: z.string(), amount: z.number().transform((euros) => euros * 100) });
const given = { to: 'alice', amount: 30 };
const call = [{ call: 'pay', id: 'pay-1', input: given }];
const done = [{ text: 'Done.' }];
const older = { description: 'Pays.' };
const newer = { description: 'Pays, and tells the bank.' };

/** A question of the older deployment, and the newer one on which it is answered. */
async function changedSince(settings: object = newer) {
  const world = deploys();
  const before = world.deploy('older', [call], older);
  const id = questionIn(await before.chat().say('Pay.'));
  return { ...world, before, id, after: world.deploy('newer', [done], settings) };
}

clause('0020.1', async () => {
  for (const [edit, runs] of [
    [undefined, { to: 'alice', amount: 3000 }],
    [
      { to: 'bob', amount: 30 },
      { to: 'bob', amount: 3000 },
    ],
  ]) {
    const { deploy, ran } = deploys();
    const id = questionIn(await deploy('one', [call], { schema: cents }).chat().say('Pay.'));
    const { answer, events, view } = deploy('another', [done], { schema: cents }).chat();
    expect((await view()).questions).toMatchObject([{ input: given }]);
    await answer(id, true, edit ? { input: edit } : {});
    expect(ran).toEqual([{ deploy: 'another', input: runs }]);
    const logged = (await events()).flatMap((event) =>
      event.type === 'tool-requested' || event.type === 'tool-started' ? [event.input] : [],
    );
    expect(logged).toEqual([given, edit ?? given]);
  }
  const rejected = runAfterEdit(cents, given, (shown) => ({ ...shown, to: 'bob' }));
  expect(rejected).toEqual({ to: 'bob', amount: 300_000 });
});

clause('0020.2', async () => {
  const seen: unknown[] = [];
  const see = <Answer>(input: unknown, answer: Answer): Answer => {
    seen.push(input);
    return answer;
  };
  const { deploy } = deploys();
  const schema = z.object({ to: z.string(), amount: z.number(), card: z.string() }).transform((input) => ({
    ...input,
    amount: input.amount * 100,
    note: `by ${input.card}`,
  }));
  const { say, view } = deploy('one', [[{ call: 'pay', input: { ...given, card: 'card-4242' } }]], {
    schema,
    toolApproval: { pay: (input: unknown) => see(input, 'user-approval') } as never,
    toolDetails: {
      pay: {
        secrets: { input: ['card'] },
        describe: ((input: unknown) => see(input, 'Pays.')) as never,
        approvers: (_principal, { input }) => see(input, true),
      },
    },
  });
  await say('Pay.');
  const hidden = { to: 'alice', amount: 3000, card: '[redacted]', note: 'by [redacted]' };
  expect((await view()).questions).toMatchObject([
    { input: { ...given, card: '[redacted]' }, runsAs: hidden },
  ]);
  expect(seen[0]).toEqual({ to: 'alice', amount: 3000, card: 'card-4242', note: 'by card-4242' });
  for (const shown of seen.slice(1)) expect(shown).toEqual(hidden);
});

clause('0020.3', async () => {
  const { deploy, ran } = deploys();
  let number = 0;
  const schema = z.object({ to: z.string() }).transform(({ to }) => ({ to, number: ++number }));
  const logged: string[] = [];
  const log = (message: string) => void logged.push(message);
  const logger = { warn: log, error: log };
  const { model, say, answer, view } = deploy('one', [[{ call: 'pay', input: { to: 'alice' } }], done], {
    schema,
    logger,
  });
  let response = await say('Pay.');
  for (let approval = 0; approval < 3; approval += 1) response = await answer(questionIn(response), true);
  expect(ran).toEqual([]);
  expect(JSON.stringify(model.calls.at(-1)?.prompt)).toContain(
    'something else of the same arguments each time',
  );
  expect((await view()).questions.map(({ state }) => state)).toEqual(Array(3).fill('tool-changed'));
  expect(logged.filter((line) => line.startsWith('A schema'))).toHaveLength(1);
});

clause('0020.4', async () => {
  const { id, before, path, deploy, ran } = await changedSince();
  const question = await before.store.questions.read(parseApprovalId(id));
  expect(question && holdsById(question, id)).toBe(true);
  const appends: string[][] = [];
  const store = interceptedStore(sqliteStore({ path }), ({ events }) => {
    appends.push(events.map(({ type }) => type));
  });
  const { answer } = deploy('newer', [done], newer, store).chat();
  const again = questionIn(await answer(id, true));
  expect(ran).toEqual([]);
  expect(appends).toEqual([
    [
      'run-started',
      'approval-withdrawn',
      'tool-denied',
      'tool-requested',
      'approval-requested',
      'run-suspended',
    ],
  ]);
  await answer(again, true);
  expect(ran).toEqual([{ deploy: 'newer', input: given }]);
});

clause('0020.5', async () => {
  const closed = await changedSince({ toolApproval: { pay: { type: 'denied', reason: 'Closed.' } } });
  await closed.after.chat().answer(closed.id, true);
  expect(JSON.stringify(closed.after.model.calls.at(-1)?.prompt)).toContain('Closed.');

  const denied = await changedSince();
  await denied.after.chat().answer(denied.id, false);
  expect((await denied.after.chat().view()).questions).toMatchObject([{ state: 'denied' }]);

  const gone = await changedSince({ name: 'refund' });
  const removed = await gone.after.answer(gone.id, true);
  expect(removed.filter(({ type }) => type === 'tool-approval-response')).toMatchObject([
    { approvalId: gone.id, approved: false },
  ]);
  expect(removed.at(-1)).toMatchObject({ type: 'finish' });
  expect(JSON.stringify(gone.after.model.calls.at(-1)?.prompt)).toContain('no longer available');
  expect(await gone.after.view()).toMatchObject({
    run: { status: 'idle' },
    questions: [{ state: 'tool-changed' }],
  });

  for (const { ran } of [closed, denied, gone]) expect(ran).toEqual([]);
});

clause('0020.6', async () => {
  const { id, after } = await changedSince();
  const { answer, events } = after.chat();
  await answer(questionIn(await answer(id, true)), true);
  const prompt = JSON.stringify(after.model.calls.at(-1)?.prompt);
  const last = (await events()).findLast((event) => event.type === 'tool-requested');
  expect(last).toMatchObject({ replaces: 'pay-1', input: given });
  expect(prompt.match(/"type":"tool-call"/g)).toHaveLength(1);
  expect(prompt.match(/"type":"tool-result"/g)).toHaveLength(1);
  expect(prompt).not.toContain('"pay-1"');
  expect(prompt).toContain(last?.type === 'tool-requested' ? last.toolCallId : 'nothing');
});

clause('0020.7', async () => {
  for (const [, connect] of modes) {
    const toolDetails = { pay: { version: '1' } };
    const { url } = await serveFixture([call, done], { toolDetails: toolDetails as never });
    const { say, answer } = rawChat(await connect(url));
    const id = questionIn(await say('Pay.'));
    toolDetails.pay.version = '2';
    const response = await answer(id, true);
    expect(response.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['tool-approval-response', 'tool-approval-request']),
    );
    expect(response.find(({ type }) => type === 'tool-approval-response')).toMatchObject({
      approvalId: id,
      approved: false,
    });
    toolDetails.pay.version = '3';
    const standing = questionIn(response);
    const refused = await fetch(`${url}/api/approvals/${standing}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ approved: true }),
    });
    expect(refused.status).toBe(409);
    const { error } = await refused.json();
    expect(error).toMatchObject({ code: 'question-changed', approvalId: standing });
    expect(error.replacedBy).toMatch(/^apr_/);
  }
});

clause('0020.8', async () => {
  const { id, before, after, clock, ran } = await changedSince({ ...newer, leaseMs: 10_000 });
  const approvalId = parseApprovalId(id);
  const look = () => after.flow.approvals.read({ principal: ada, approvalId });
  const log = await after.chat().events();
  expect(await look()).toMatchObject({ state: 'open', outdated: true });
  expect(await after.chat().events()).toEqual(log);
  await Promise.all([before.flow.recover(), after.flow.recover()]);
  clock.advance(10_000);
  await Promise.all([before.flow.recover(), after.flow.recover()]);
  expect(await look()).toMatchObject({ state: 'open' });
  await before.flow.close();
  await after.flow.recover();
  expect(await look()).toMatchObject({ state: 'tool-changed' });
  const { open } = await after.view();
  await after.answer(String(open), true);
  expect(ran).toEqual([{ deploy: 'newer', input: given }]);

  expect(askedBackAndForth('older', ['newer', 'older', 'newer', 'older', 'newer'])).toBe(5);
});

clause('0020.9', async () => {
  const same = await changedSince(older);
  same.clock.advance(86_400_000);
  const { flow } = same.after;
  const approvalId = parseApprovalId(same.id);
  expect(await flow.approvals.read({ principal: ada, approvalId })).not.toHaveProperty('outdated');

  const { deploy, clock } = deploys();
  const telling = { toolDetails: { pay: { describe: () => `Pays at ${clock.now()}.` } } };
  const id = questionIn(await deploy('one', [call], telling).chat().say('Pay.'));
  clock.advance(1);
  const seen = await deploy('one', [], telling).flow.approvals.read({
    principal: ada,
    approvalId: parseApprovalId(id),
  });
  expect(seen).toMatchObject({ outdated: true });
});

clause('0020.11', async () => {
  const { deploy, ran, clock } = deploys();
  const settings = { approvalValidForMs: 60_000 };
  const before = deploy('one', [call], settings);
  const { say, id: chatId } = before.chat();
  await say('Pay.');
  await approveThenCrash(before.store, chatId, clock);
  await before.flow.close();
  clock.advance(60_001);
  const after = deploy('one', [done], settings);
  await after.flow.recover();
  await expect.poll(async () => (await after.store.chats.head(chatId))?.status).toBe('waiting');
  expect(ran).toEqual([]);
  const { open } = await after.chat().view();
  await after.chat().answer(String(open), true);
  expect(ran).toEqual([{ deploy: 'one', input: given }]);
});

clause('0020.12', async () => {
  const { before, id, after, ran, clock } = await changedSince();
  await approveThenCrash(before.store, before.chat().id, clock);
  await before.flow.close();
  clock.advance(10_000);
  await after.flow.recover();
  await expect.poll(async () => (await after.chat().view()).run.status).toBe('waiting');
  expect(ran).toEqual([]);
  const { questions, open } = await after.view();
  expect(questions).toMatchObject([
    { id, state: 'approved' },
    { state: 'open', replaces: id },
  ]);
  await after.answer(String(open), true);
  expect(ran).toEqual([{ deploy: 'newer', input: given }]);
});

clause('0020.13', async () => {
  const { execute: _server, ...ofClient } = countingTools().tools.pay;
  const { say, answer, view } = flowFixture([call, done], { tools: { pay: ofClient } as ToolSet });
  const id = questionIn(await say('Pay.'));
  const input = { to: 'alice', amount: 3 };
  await expect(answer(id, true, { input })).rejects.toMatchObject({ code: 'invalid-request' });
  await answer(id, true);
  // Rejected: to record the edit. The page runs the arguments of the part, which it has had since the question.
  const part = (await view()).messages.at(-1)?.parts.at(-1);
  expect(part).toMatchObject({ state: 'approval-responded', input: given });
  expect(part).not.toMatchObject({ input });
});
