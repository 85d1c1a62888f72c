import type { ApproverRule, FlowSettings } from 'countersign';
import { remembered } from 'countersign/plugins/remembered';
import type { ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import {
  type Principal,
  parseApprovalId,
  parseChatId,
  parseMessageId,
  parseToolCallId,
} from '../../../lib/protocol/index.ts';
import { barrier } from '../../support/barrier.ts';
import { flowFixture, questionIn, userMessage } from '../../support/flow-fixture.ts';

const bob: Principal = { id: 'bob', name: 'Bob' };
const pay = (amount: number) => ({ call: 'pay', input: { to: 'Alice', amount } });
const done: ScriptedStep = [{ text: 'Done.' }];

/** Answers of a rule that a careless author may give; each is a no. */
const answersThatAreNo: readonly (readonly [what: string, rule: () => unknown])[] = [
  ['a promise of false', async () => false],
  ['a promise of a string', async () => 'yes'],
  ['a rejected promise', () => Promise.reject(new Error('The directory is down.'))],
  ['an object', () => ({ allowed: true })],
  ['a number', () => 1],
  ['the string "true"', () => 'true'],
  ['nothing', () => undefined],
  [
    'an exception',
    () => {
      throw new Error('The directory is down.');
    },
  ],
];

/** What a flow logs, as texts. */
function keptLog() {
  const lines: string[] = [];
  const keep = (message: string, facts: object) => void lines.push(`${message} ${JSON.stringify(facts)}`);
  return { lines, logger: { warn: keep, error: keep } };
}

const asRule = (rule: () => unknown) => rule as ApproverRule;

const questionRules: readonly (readonly [name: string, (rule: ApproverRule) => Partial<FlowSettings>])[] = [
  ['mayAnswer', (mayAnswer) => ({ mayAnswer })],
  ['approvers', (approvers) => ({ toolDetails: { pay: { approvers } } })],
];

describe.each(questionRules)('only `true` from %s lets someone answer', (_name, settingsOf) => {
  it.each(answersThatAreNo)('%s is a refusal, everywhere the rule is called', async (what, rule) => {
    const { lines, logger } = keptLog();
    const { flow, ran, say, answer, view } = flowFixture([[pay(5)], done], {
      ...settingsOf(asRule(rule)),
      logger,
    });
    const fed = (await flow.approvals.feed({ principal: bob })).changes.getReader().read();
    const shown = await say('Pay.');
    const nothing = { mayAnswer: false, mayEdit: false, mayRemember: false };
    expect(shown.find(({ type }) => type === 'tool-approval-request')).toMatchObject({
      approvalDescriptor: nothing,
    });
    expect((await view()).questions).toMatchObject([nothing]);

    const approvalId = parseApprovalId(questionIn(shown));
    await expect(answer(approvalId, true)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(answer(approvalId, false)).rejects.toMatchObject({ code: 'forbidden' });
    const given = { approvalId, approved: true, via: 'test' };
    await expect(flow.approvals.answer({ principal: bob, ...given })).rejects.toMatchObject({
      code: 'not-found',
    });
    await expect(flow.approvals.read({ principal: bob, approvalId })).rejects.toMatchObject({
      code: 'not-found',
    });
    expect((await flow.approvals.list({ principal: bob, state: 'open' })).items).toEqual([]);
    await flow.close();
    expect(await fed).toEqual({ done: true, value: undefined });
    expect(ran).toEqual([]);
    const isFailure = /exception|rejected/.test(what);
    expect(lines.some((line) => line.includes('A rule failed. It counts as a refusal.'))).toBe(isFailure);
    // Its message may quote the question's arguments.
    expect(lines.join()).not.toContain('The directory is down.');
  });

  it.each([
    ['true', () => true],
    ['a promise of true', async () => true],
  ])('%s grants the right', async (_what, rule) => {
    const { flow, ran, say, resume } = flowFixture([[pay(5)], done], settingsOf(asRule(rule)));
    const shown = await say('Pay.');
    expect(shown.find(({ type }) => type === 'tool-approval-request')).toMatchObject({
      approvalDescriptor: { mayAnswer: true, mayEdit: true },
    });
    const approvalId = parseApprovalId(questionIn(shown));
    expect((await flow.approvals.list({ principal: bob, state: 'open' })).items).toMatchObject([
      { id: approvalId, mayAnswer: true, mayEdit: true, mayRemember: false },
    ]);
    await flow.approvals.answer({ principal: bob, approvalId, approved: true, via: 'test' });
    await resume();
    expect(ran).toHaveLength(1);
  });
});

describe('a person who may only read a chat', () => {
  const where = { principal: bob, chatId: parseChatId('chat') };
  const toolCallId = parseToolCallId('handed');
  type Fixture = ReturnType<typeof flowFixture>;
  const changes: readonly (readonly [what: string, change: (fixture: Fixture) => Promise<unknown>])[] = [
    ['send a message', ({ say }) => say('Mine.', { principal: bob })],
    [
      'edit one',
      ({ ask }) =>
        ask({ ...where, messageId: parseMessageId('user-1'), message: userMessage('user-1', 'No.') }),
    ],
    ['regenerate', ({ ask }) => ask({ ...where, trigger: 'regenerate-message' })],
    ['give an output', ({ ask }) => ask({ ...where, outputs: [{ toolCallId, output: 'dark' }] })],
    ['write data', ({ flow }) => flow.chats.writer(where).write({ type: 'data-note', data: 1 })],
    ['stop', ({ flow }) => flow.chats.stop(where)],
    ['cancel a call', ({ flow }) => flow.chats.cancelCall({ ...where, toolCallId })],
    ['retry a call', ({ flow }) => flow.chats.retryCall({ ...where, toolCallId })],
    ['rename', ({ flow }) => flow.chats.rename({ ...where, title: 'Mine' })],
    ['erase', ({ flow }) => flow.chats.erase(where)],
  ];
  const reading = { mayRead: ({ id }: Principal) => id === 'bob', auditKey: 'a key of the test only' };
  const handed = [[{ call: 'theme', id: 'handed' }], done];

  it.each(changes)('cannot %s, and to a stranger the chat does not exist [H4, H5]', async (_what, change) => {
    const fixture = flowFixture(handed, reading);
    await fixture.say('Go.');
    const before = await fixture.store.chats.head(fixture.id);
    await expect(change(fixture)).rejects.toMatchObject({ code: 'forbidden', fields: { chatId: 'chat' } });
    expect(await fixture.store.chats.head(fixture.id)).toEqual(before);
    const closed = flowFixture(handed);
    await closed.say('Go.');
    await expect(change(closed)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('reads it, live and stored, and answers what a rule lets this person answer [H4, H10]', async () => {
    const { flow, say, read, ask, ran } = flowFixture([[pay(5)], done], {
      ...reading,
      mayAnswer: () => true,
    });
    const approvalId = parseApprovalId(questionIn(await say('Pay.')));
    expect((await flow.chats.read(where)).open).toBe(approvalId);
    expect(await flow.chats.timeline(where)).not.toEqual([]);
    expect((await flow.audit.read(where)).entries).not.toEqual([]);
    const resumed = await flow.chats.resume(where);
    expect(questionIn(await read(resumed))).toBe(approvalId);
    await read(await ask({ principal: bob, answers: [{ approvalId, approved: true }] }));
    expect(ran).toHaveLength(1);
  });
});

describe('only `true` from mayRead opens a chat', () => {
  it.each(answersThatAreNo)('%s is a refusal of reading', async (_what, rule) => {
    const { lines, logger } = keptLog();
    const { flow, say } = flowFixture([done], { mayRead: rule as () => boolean, logger });
    await say('Go.');
    const where = { principal: bob, chatId: parseChatId('chat') };
    await expect(flow.chats.read(where)).rejects.toMatchObject({ code: 'not-found' });
    expect(lines.every((line) => line.includes('"rule":"mayRead"'))).toBe(true);
  });
});

describe('only `true` from mayChange opens a chat', () => {
  it.each(answersThatAreNo)('%s is a refusal, for every request about the chat', async (_what, rule) => {
    let isOpen = true;
    const { flow, ran, say, ask } = flowFixture([[pay(5)], done], {
      mayChange: () => (isOpen ? true : (rule() as boolean)),
      auditKey: 'a key of the test only',
      logger: keptLog().logger,
    });
    const approvalId = parseApprovalId(questionIn(await say('Pay.')));
    const { runId } = await flow.chats
      .read({ principal: bob, chatId: parseChatId('chat') })
      .then(async () => {
        const stream = await flow.chats.resume({ principal: bob, chatId: parseChatId('chat') });
        await stream?.events.cancel();
        return { runId: stream?.runId };
      });
    if (!runId) throw new Error('There is no run.');

    isOpen = false;
    const where = { principal: bob, chatId: parseChatId('chat') };
    const toolCallId = parseToolCallId('call');
    const refused = [
      flow.chats.read(where),
      flow.chats.timeline(where),
      flow.audit.read(where),
      flow.chats.stop(where),
      flow.chats.erase(where),
      flow.chats.rename({ ...where, title: 'Mine' }),
      flow.chats.cancelCall({ ...where, toolCallId }),
      flow.chats.retryCall({ ...where, toolCallId }),
      ask({ principal: bob, answers: [{ approvalId, approved: true }] }),
      ask({ principal: bob, trigger: 'regenerate-message' }),
    ];
    for (const refusal of await Promise.allSettled(refused)) {
      expect(refusal).toMatchObject({ status: 'rejected', reason: { code: 'not-found' } });
    }
    expect(await flow.chats.resume(where)).toBeNull();
    expect(await flow.chats.follow({ ...where, runId })).toBeNull();
    expect((await flow.approvals.list({ principal: bob, state: 'open' })).items).toEqual([]);
    expect(ran).toEqual([]);
  });
});

describe('a rule is called again whenever it is needed', () => {
  it('before a question is shown', async () => {
    const judged = Promise.withResolvers<boolean>();
    const { ask } = flowFixture([[pay(5)], done], { mayAnswer: () => judged.promise });
    const { events } = await ask({
      message: { id: 'm' as never, parts: [{ type: 'text', text: 'Pay.' }] },
    });
    const reader = events.getReader();
    const seen: string[] = [];
    const all = (async () => {
      for (let next = await reader.read(); !next.done; next = await reader.read()) seen.push(next.value.type);
    })();
    await expect.poll(() => seen).toContain('tool-requested');
    expect(seen).not.toContain('approval-requested');
    judged.resolve(true);
    await all;
    expect(seen).toContain('approval-requested');
  });

  it('for at most 8 questions of a list at once, and once for each', async () => {
    const chats = 20;
    const script = Array.from({ length: chats }, (): ScriptedStep => [pay(5)]);
    let asked: string[] = [];
    let atOnce = 0;
    let most = 0;
    let held: ReturnType<typeof barrier> | undefined;
    const { flow, chat } = flowFixture(script, {
      mayAnswer: async (_principal, { id, editedBy }) => {
        if (editedBy === undefined) asked.push(id);
        most = Math.max(most, ++atOnce);
        await held?.wait;
        atOnce -= 1;
        return true;
      },
    });
    for (let index = 0; index < chats; index += 1) await chat(`chat-${index}`).say('Pay.');
    asked = [];
    most = 0;
    held = barrier();
    const listing = flow.approvals.list({ principal: bob, state: 'open' });
    await expect.poll(() => atOnce).toBe(8);
    held.lift();
    const { items } = await listing;
    expect(items).toHaveLength(chats);
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked).toHaveLength(chats);
    expect(most).toBe(8);
    asked = [];
    await chat('chat-0').view();
    expect(asked).toHaveLength(1);
  });

  it('before each use of a remembered approval, which needs true', async () => {
    let allowed: unknown = true;
    const script: ScriptedStep[] = [[pay(5)], done, [pay(5)], done];
    const { ran, say, answer } = flowFixture(script, {
      mayAnswer: async () => allowed as boolean,
      plugins: [remembered()],
    });
    await answer(questionIn(await say('Pay.')), true, {
      plugins: { remembered: { scope: 'me', match: 'tool' } },
    });
    expect(ran).toHaveLength(1);
    allowed = 'yes';
    questionIn(await say('Pay again.'));
    expect(ran).toHaveLength(1);
  });

  it('and nothing is remembered for a person whose rule returns a promise of `false`', async () => {
    const { ran, say, answer } = flowFixture([[pay(5)], done], {
      mayAnswer: async (_principal, { state }) => state === 'open' && false,
      plugins: [remembered()],
    });
    const id = questionIn(await say('Pay.'));
    const remember = { scope: 'me', match: 'tool' } as const;
    await expect(answer(id, true, { plugins: { remembered: remember } })).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(ran).toEqual([]);
  });
});
