import { type ToolSet, tool } from 'ai';
import { type ApproverRule, type FlowSettings, notTheAsker } from 'countersign';
import { verifyAudit } from 'countersign/audit';
import { remembered } from 'countersign/plugins/remembered';
import { sqliteStore } from 'countersign/store';
import { fakeClock, interceptedStore, type Script, type ScriptedStep } from 'countersign/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { type Principal, parseApprovalId } from '../../lib/protocol/index.ts';
import { adr } from '../support/adr.ts';
import { barrier } from '../support/barrier.ts';
import { ada, countingTools, flowFixture, questionIn, type types } from '../support/flow-fixture.ts';
import { modes } from '../support/modes.ts';
import { rawChat } from '../support/raw-client.ts';
import { serveFixture, userHeader } from '../support/serve-fixture.ts';
import { askerOfTheRun } from './rejected/asker-of-the-run.ts';
import { coversByName } from './rejected/grant-by-name.ts';
import { lookThenAppend } from './rejected/look-then-append.ts';

const { clause } = adr('0015-who-may-answer.md');

const bob: Principal = { id: 'bob', name: 'bob' };
const pay = (amount: number) => ({ call: 'pay', input: { to: 'Alice', amount } });
const search = { call: 'search', input: { query: 'rates' } };
const done: ScriptedStep = [{ text: 'Done.' }];
const ruled = (approvers: ApproverRule): Partial<FlowSettings> => ({ toolDetails: { pay: { approvers } } });
const always = { plugins: { remembered: { scope: 'me', match: 'tool' } } } as const;
const asks = (chunks: Parameters<typeof types>[0]) =>
  chunks.some((chunk) => chunk.type === 'tool-approval-request' && !chunk.isAutomatic);

/** Small payments are for the asker to approve, large ones for somebody else. */
const upTo1000: ApproverRule = (principal, question) => {
  const { amount } = question.input as { amount: number };
  return amount <= 1_000 ? principal.id === question.askedBy.id : notTheAsker(principal, question);
};

/** A chat behind every entry point, and what others can do with its questions over HTTP. */
async function served(script: ScriptedStep[], settings: Partial<FlowSettings>) {
  const fixture = await serveFixture(script, settings);
  const send = async (user: string, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${fixture.url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', [userHeader]: user },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const approve = async (user: string, id: string, more: object = {}) =>
    (await send(user, 'POST', `/approvals/${id}`, { approved: true, ...more })).status;
  return { ...fixture, send, approve };
}

/** A flow that remembers approvals. */
const fixture = (script: Script, settings: Partial<FlowSettings> = {}) =>
  flowFixture(script, { ...settings, plugins: [remembered()] });

/** A store in which Ada has had an approval of `pay` remembered. */
async function remembering(): Promise<FlowStore> {
  const store = sqliteStore({ path: ':memory:' });
  const { say, answer } = fixture([[pay(5)], done], { store }).chat('before');
  await answer(questionIn(await say('Pay.')), true, always);
  return store;
}

clause('0015.1', async () => {
  for (const [, connect] of modes) {
    const { url, approve, ran } = await served([[pay(5)], done], {
      ...ruled(notTheAsker),
      mayAnswer: ({ id }) => id === 'ada' || id === 'bob',
    });
    const chat = rawChat(await connect(url));
    const id = questionIn(await chat.say('Pay.'));
    await expect(chat.answer(id, true)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(chat.answer(id, false)).rejects.toMatchObject({ code: 'forbidden' });
    expect([await approve('ada', id), await approve('eve', id)]).toEqual([403, 404]);
    expect(ran).toEqual([]);
    expect(await approve('bob', id)).toBe(200);
    await chat.resume();
    expect(ran).toHaveLength(1);
  }
});

clause('0015.2', async () => {
  const { chat, flow, send } = await served([[pay(5)]], ruled(notTheAsker));
  const feed = (await flow.approvals.feed({ principal: bob })).changes.getReader();
  const id = questionIn(await chat().say('Pay.'));
  expect((await feed.read()).value).toMatchObject({ question: { id, mayAnswer: true } });
  await feed.cancel();
  expect((await send('bob', 'GET', '/approvals')).body.approvals).toMatchObject([{ id, mayAnswer: true }]);
  expect((await send('bob', 'GET', `/approvals/${id}`)).status).toBe(200);
  const closed = ['', '/audit', '/timeline'].map((path) => send('bob', 'GET', `/chat/chat${path}`));
  expect((await Promise.all(closed)).map(({ status }) => status)).toEqual([404, 404, 404]);
});

clause('0015.3', async () => {
  const { flow, say, answer, resume, events, view } = flowFixture(
    [[pay(5), pay(6)], done],
    ruled(notTheAsker),
  );
  const first = parseApprovalId(questionIn(await say('Pay.')));
  await flow.approvals.answer({ principal: bob, approvalId: first, approved: true, via: 'test' });
  await resume();
  const second = (await view()).questions.at(-1);
  expect(second).toMatchObject({ state: 'open', askedBy: { id: 'ada' }, mayAnswer: false });
  await expect(answer(second?.id ?? '', true)).rejects.toMatchObject({ code: 'forbidden' });

  // Rejected: the question is asked in the name of the person who let the run continue.
  const askedBy = askerOfTheRun(await events());
  expect(second && notTheAsker(ada, { ...second, askedBy })).toBe(true);
  expect(second && notTheAsker(bob, { ...second, askedBy })).toBe(false);
});

clause('0015.4', async () => {
  const { flow, ran, say, answer, view } = flowFixture([[pay(900)], done, [pay(5_000)]], ruled(upTo1000));
  const small = questionIn(await say('Pay.'));
  const large = { to: 'Alice', amount: 50_000 };
  await expect(answer(small, true, { input: large })).rejects.toMatchObject({ code: 'forbidden' });
  await answer(small, true, { input: { to: 'Alice', amount: 800 } });
  const approvalId = parseApprovalId(questionIn(await say('Pay more.')));
  const rewriting = { principal: bob, approvalId, approved: true, input: large, via: 'test' };
  await expect(flow.approvals.answer(rewriting)).rejects.toMatchObject({ code: 'forbidden' });
  expect(ran).toMatchObject([{ input: { amount: 800 } }]);

  // Rejected: the rule gets the proposed arguments, not those that would run.
  const [proposed] = (await view()).questions;
  expect(proposed && upTo1000(ada, proposed)).toBe(true);
  expect(proposed && upTo1000(ada, { ...proposed, input: large, editedBy: ada })).toBe(false);
});

clause('0015.5', async () => {
  const given: unknown[] = [];
  const act = tool({
    inputSchema: z.looseObject({}),
    needsApproval: true,
    execute: async (_input, options: { context?: unknown }) => {
      given.push(options.context);
      return 'done';
    },
  });
  const clerk: Principal = { ...ada, role: 'clerk' };
  const { chat, flow } = flowFixture([[{ call: 'act' }, { call: 'act' }], done], {
    tools: { act } as ToolSet,
    mayAnswer: () => true,
  });
  const { say, answer, resume } = chat('chat', clerk);
  const second = await answer(questionIn(await say('Act.')), true);
  const manager: Principal = { ...bob, role: 'manager' };
  const approvalId = parseApprovalId(questionIn(second));
  await flow.approvals.answer({ principal: manager, approvalId, approved: true, via: 'test' });
  await resume();
  const recorded = { ...clerk, recordedAt: expect.any(Number) };
  expect(given).toMatchObject([
    { principal: recorded, approvedBy: ada },
    { principal: recorded, approvedBy: { id: 'bob', name: 'bob' } },
  ]);
  const [first, last] = given as { principal: unknown }[];
  expect(last?.principal).toEqual(first?.principal);

  // Rules see the current principal: a recorded role lets nobody use a remembered approval.
  const roles: unknown[] = [];
  const only = (who: Principal) => roles.push(who.role) > 0 && who.role !== undefined;
  const later = fixture([[pay(5)], done, [search], [pay(5)], done], { mayAnswer: only });
  const talk = later.chat('chat', clerk);
  await talk.answer(questionIn(await talk.say('Pay.')), true, always);
  const other = parseApprovalId(questionIn(await talk.say('Search, then pay.')));
  roles.length = 0;
  await later.flow.approvals.answer({ principal: manager, approvalId: other, approved: true, via: 'test' });
  await talk.resume();
  expect(roles).toContain(undefined);
  expect((await talk.view()).questions.at(-1)).toMatchObject({ toolName: 'pay', state: 'open' });
});

clause('0015.6', async () => {
  const store = sqliteStore({ path: ':memory:' });
  const reaches = [
    ['chat', 'tool', 'here', 7],
    ['me', 'exact-arguments', 'there', 5],
    ['me', 'tool', 'there', 7],
  ] as const;
  for (const [scope, match, place, amount] of reaches) {
    const { chat, flow, ran } = fixture([[pay(5), pay(5)], done, [pay(amount)], done], { store });
    const asked = questionIn(await chat(`${scope}-${match}-here`).say('Pay twice.'));
    const remember = { scope, match };
    const released = await chat(`${scope}-${match}-here`).answer(asked, true, {
      plugins: { remembered: remember },
    });
    expect(released).toContainEqual(expect.objectContaining({ isAutomatic: true }));
    expect(ran).toHaveLength(2);
    expect(asks(await chat(`${scope}-${match}-${place}`).say('Pay again.'))).toBe(false);
    expect(ran).toHaveLength(3);

    const beyond = fixture([[pay(match === 'tool' ? 5 : 6)]], { store });
    const person = scope === 'me' && match === 'tool' ? bob : ada;
    expect(asks(await beyond.chat(`${scope}-${match}-beyond`, person).say('Pay.'))).toBe(true);
    for (const { id } of (await flow.remembered.list({ principal: ada })).items) {
      await flow.remembered.forget({ principal: ada, grantId: id });
    }
  }
});

clause('0015.7', async () => {
  const store = await remembering();
  const own = countingTools();
  const rewritten = { ...own.tools.pay, description: 'Pay anybody, from any account.' };
  const tools = { ...own.tools, pay: rewritten } as ToolSet;
  const { chat, flow } = fixture([[pay(5)]], { store, tools });
  expect(asks(await chat('later').say('Pay.'))).toBe(true);
  expect(own.ran).toEqual([]);
  expect(
    asks(
      await fixture([[pay(5)], done], { store })
        .chat('as-before')
        .say('Pay.'),
    ),
  ).toBe(false);

  // Rejected: a remembered approval is found by the tool's name.
  expect(coversByName((await flow.remembered.list({ principal: ada })).items, 'pay')).toBe(true);
});

clause('0015.8', async () => {
  const refused = { code: 'invalid-request' };
  const { chat } = fixture([[pay(5)]], {
    mayChange: () => true,
    mayAnswer: () => true,
  });
  const id = questionIn(await chat().say('Pay.'));
  await expect(chat().answer(id, false, always)).rejects.toMatchObject(refused);
  await expect(chat('chat', bob).answer(id, true, always)).rejects.toMatchObject(refused);
  const marked = fixture([[pay(5)]], { toolDetails: { pay: { remembered: false } } }).chat();
  const question = questionIn(await marked.say('Pay.'));
  await expect(marked.answer(question, true, always)).rejects.toMatchObject(refused);

  const store = sqliteStore({ path: ':memory:' });
  let limit = 1_000;
  const rule = ruled((_principal, { input }) => (input as { amount: number }).amount <= limit);
  const { say, answer } = fixture([[pay(5)], done, [pay(5)], done, [pay(5)]], { ...rule, store }).chat();
  await answer(questionIn(await say('Pay.')), true, always);
  expect(asks(await say('Pay.'))).toBe(false);
  limit = 1;
  expect(asks(await say('Pay.'))).toBe(true);
});

clause('0015.9', async () => {
  /** The outcome of a call whose grant is revoked after the run has found it. */
  const race = async (through: (store: FlowStore) => FlowStore) => {
    const store = await remembering();
    const { wait, lift } = barrier();
    const { promise: found, resolve: find } = Promise.withResolvers<void>();
    const slow = interceptedStore(store, async ({ events }) => {
      if (!events.some(({ type }) => type === 'approval-granted')) return;
      find();
      await wait;
    });
    const { chat, flow, ran } = fixture([[pay(5)], done], { store: through(slow) });
    const saying = chat('later').say('Pay.');
    await found;
    const [grant] = (await flow.remembered.list({ principal: ada })).items;
    if (grant) await flow.remembered.forget({ principal: ada, grantId: grant.id });
    lift();
    const chunks = await saying;
    const outcome = { asked: asks(chunks), ran: ran.length };
    if (outcome.asked) {
      expect((await chat('later').events()).map(({ type }) => type)).not.toContain('approval-granted');
      await chat('later').answer(questionIn(chunks), true);
      expect(ran).toHaveLength(1);
    }
    return outcome;
  };
  expect(await race((store) => store)).toEqual({ asked: true, ran: 0 });

  // Rejected: the grant is looked up first, and its use is appended without another check.
  expect(await race(lookThenAppend)).toEqual({ asked: false, ran: 1 });
});

clause('0015.10', async () => {
  const auditKey = 'a key of the test only';
  const { flow, id, say, answer } = fixture([[pay(5), pay(6)], done], { auditKey });
  await answer(questionIn(await say('Pay.')), true, always);
  const [grant] = (await flow.remembered.list({ principal: ada })).items;
  const { entries, head } = await flow.audit.read({ chatId: id, principal: ada });
  expect(entries.map(({ type }) => type)).toEqual([
    'asked',
    'answered',
    'started',
    'ended',
    'granted',
    'started',
    'ended',
  ]);
  expect(entries[1]).toMatchObject({
    plugins: { remembered: { grantId: grant?.id, scope: 'me', match: 'tool' } },
  });
  expect(entries[4]).toMatchObject({ grantId: grant?.id, by: { id: 'ada' }, input: { amount: 6 } });
  expect(verifyAudit(entries, { key: auditKey, head })).toBeUndefined();
  for (const change of [{ by: bob }, { grantId: 'other' }]) {
    const changed = entries.map((entry) => (entry.type === 'granted' ? { ...entry, ...change } : entry));
    expect(verifyAudit(changed, { key: auditKey, head })).toMatchObject({ index: 4 });
  }
});

clause('0015.11', async () => {
  const clock = fakeClock();
  const maxAgeMs = 60_000;
  const stepUp = { toolDetails: { pay: { stepUp: { maxAgeMs } } } };
  const { chat, flow, ran } = fixture([[pay(5)], done], { ...stepUp, clock });
  const recent = { ...ada, authenticatedAt: clock.now() };
  const id = questionIn(await chat('chat', recent).say('Pay.'));
  const shown = await flow.approvals.read({ principal: recent, approvalId: parseApprovalId(id) });
  clock.advance(maxAgeMs + 1);
  const old = chat('chat', recent);
  await expect(old.answer(id, true, always)).rejects.toMatchObject({ code: 'step-up-required' });
  await expect(old.answer(id, false)).rejects.toMatchObject({ code: 'step-up-required' });
  const fromTomorrow = { ...ada, authenticatedAt: clock.now() + 1 };
  await expect(chat('chat', fromTomorrow).answer(id, true)).rejects.toMatchObject({
    code: 'step-up-required',
  });
  expect((await chat().view()).open).toBe(id);
  expect((await flow.remembered.list({ principal: ada })).items).toEqual([]);
  expect(ran).toEqual([]);
  await chat('chat', { ...ada, authenticatedAt: clock.now() }).answer(id, true);
  expect(ran).toHaveLength(1);

  // Rejected: the sign-in is checked when the question is shown.
  expect(shown.stepUp).toEqual({ maxAgeMs, needed: false });
});

clause('0015.12', async () => {
  const auditKey = 'a key that only the server knows';
  const { chat, flow, id: chatId, say } = flowFixture([[pay(5)], done], { auditKey });
  const approvalId = parseApprovalId(questionIn(await say('Pay.')));
  const proof = { authenticatedAt: Date.UTC(2030, 0, 1), authenticationMethods: ['pwd', 'otp'] };
  await flow.approvals.answer({ principal: { ...ada, ...proof }, approvalId, approved: true, via: 'test' });
  await chat().resume();
  const { entries, head } = await flow.audit.read({ chatId, principal: ada });
  const by = { ...ada, ...proof, authenticatedAt: '2030-01-01T00:00:00.000Z' };
  expect(entries.find(({ type }) => type === 'answered')).toMatchObject({ by });
  expect(verifyAudit(entries, { key: auditKey, head })).toBeUndefined();
});

clause('0015.13', async () => {
  const steps: ScriptedStep[] = [
    [{ text: 'I look.' }, { call: 'weather', input: { city: 'Bern' } }],
    [{ text: 'Alice waits: key-1.' }, { call: 'pay', input: { to: 'key-1', amount: 5 } }],
    done,
  ];
  const approvers: ApproverRule = () => true;
  const details = (more: object): Partial<FlowSettings> => ({
    toolDetails: { pay: { approvers, secrets: { input: ['to'] }, ...more } },
  });
  const { chat, flow } = flowFixture(steps, details({}));
  const approvalId = parseApprovalId(questionIn(await chat().say('Pay key-1, please.')));
  const context = { message: 'Pay [redacted], please.', said: 'Alice waits: [redacted].' };
  const seenBy = async (principal: Principal) =>
    (await flow.approvals.read({ principal, approvalId })).context;
  expect(await seenBy(bob)).toEqual({ ...context, maySeeChat: false });
  expect(await seenBy(ada)).toEqual({ ...context, maySeeChat: true });
  expect((await flow.approvals.list({ principal: bob, state: 'open' })).items[0]).not.toHaveProperty(
    'context',
  );
  await flow.approvals.answer({ principal: bob, approvalId, approved: false, via: 'test' });
  expect(await seenBy(bob)).toBeUndefined();

  const kept = flowFixture(steps, details({ shareContext: false }));
  const id = parseApprovalId(questionIn(await kept.chat().say('Pay key-1, please.')));
  expect(await kept.flow.approvals.read({ principal: bob, approvalId: id })).not.toHaveProperty('context');
  expect((await kept.flow.approvals.read({ principal: ada, approvalId: id })).context).toMatchObject(context);
});

clause('0015.14', async () => {
  const note = "Waiting for a manager. You can't approve your own request.";
  for (const fails of [false, true]) {
    const { chat, flow } = flowFixture([[pay(5_000)], done], {
      logger: { warn: () => {}, error: () => {} },
      toolDetails: {
        pay: {
          approvers: upTo1000,
          whoMayAnswer: (principal, { askedBy }) => {
            if (fails) throw new Error('No such role.');
            return principal.id === askedBy.id ? note : undefined;
          },
        },
      },
    });
    const chunks = await chat().say('Pay.');
    const asked = chunks.find((chunk) => chunk.type === 'tool-approval-request');
    const shown = fails ? {} : { whoMayAnswer: note };
    expect(asked).toMatchObject({ approvalDescriptor: { mayAnswer: false, ...shown } });
    const approvalId = parseApprovalId(questionIn(chunks));
    const seenBy = async (principal: Principal) =>
      (await flow.approvals.read({ principal, approvalId })).whoMayAnswer;
    expect([await seenBy(ada), await seenBy(bob)]).toEqual([fails ? undefined : note, undefined]);
  }
});
