import type { FlowSettings } from 'countersign';
import { verifyAudit } from 'countersign/audit';
import type { FlowPlugin } from 'countersign/plugin';
import { remembered } from 'countersign/plugins/remembered';
import { fakeClock, type Script } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { flowLogId, parseApprovalId } from '../../../lib/protocol/index.ts';
import { type AdministeredStore, administeredStoresOfThisRun } from '../../support/administered-store.ts';
import { ada, flowFixture, questionIn, userMessage } from '../../support/flow-fixture.ts';
import { timedBy } from '../../support/timed-by.ts';

const auditKey = 'an audit key for tests';
const pay = { call: 'pay', input: { to: 'alice', amount: 30 } };
const done = { text: 'Done.' };

const stores = administeredStoresOfThisRun('Postgres');

type Settings = Omit<Partial<FlowSettings>, 'plugins'>;
type Adding<Plugins> = Settings & { readonly plugins?: Plugins };

/** A flow on a database that somebody else may write to. */
function administered<const Plugins extends readonly FlowPlugin[] = []>(
  create: () => AdministeredStore,
  script: Script,
  settings: Adding<Plugins> = {},
) {
  const database = create();
  const errors: string[] = [];
  const logger = { warn: () => {}, error: (message: string) => void errors.push(message) };
  const opened = (play: Script, more: Settings = {}, store = database.store) => {
    const clock = fakeClock();
    const common = { auditKey, clock, logger, ...settings, ...more };
    const fixture = flowFixture<Plugins>(play, { ...common, store: timedBy(store, clock) });
    onTestFinished(() => fixture.flow.close());
    return fixture;
  };
  return { ...database, errors, opened, ...opened(script) };
}

const text = (value: object) => `'${JSON.stringify(value).replaceAll("'", "''")}'`;

/** Appends rows to the chat's log, and leaves its run without an owner: the next instance goes on with it. */
async function forge(administer: AdministeredStore['administer'], bodies: object[], chat = 'chat') {
  for (const body of bodies) {
    await administer(`
      insert into events (chat, seq, at, run, body)
        select chat, seq + 1, updated_at, 'run_forged', ${text(body)} from chats where id = '${chat}';
      update chats set seq = seq + 1 where id = '${chat}';`);
  }
  await administer(`update chats set status = 'active', run = 'run_forged', open = null, lease_owner = '"gone"',
    lease_until = 0 where id = '${chat}'`);
}

const runStarted = {
  type: 'run-started',
  messageId: 'msg_forged',
  release: 'final',
  by: { id: 'ada', name: 'Ada' },
};

describe.each(stores)('with an audit key, on %s', (_name, create) => {
  it('an approval that was inserted into the database is not executed, and the turn continues', async () => {
    const { chat, administer, errors, opened } = administered(create, [[pay]]);
    const approvalId = questionIn(await chat().say('Pay.'));
    const { questions } = await chat().view();
    const toolCallId = questions[0]?.toolCallId;
    const answer = { approved: true, input: { to: 'eve', amount: 9000 }, by: ada, via: 'http' };
    await forge(administer, [runStarted, { type: 'approval-answered', approvalId, toolCallId, ...answer }]);
    const second = opened([[done]]);
    await second.flow.recover();
    await second.chat().resume();
    expect(second.ran).toEqual([]);
    expect((await second.chat().events()).slice(-5)).toMatchObject([
      { type: 'tool-failed', toolCallId, retryable: false },
      { type: 'step-started' },
      { type: 'text-delta' },
      { type: 'step-finished' },
      { type: 'run-completed' },
    ]);
    expect(errors).toContain('A call was not run: its approval is not in the sealed record.');
    const { entries, head, faults } = await second.flow.audit.read({ principal: ada, chatId: second.id });
    expect(faults).toMatchObject([{ type: 'unsealed', event: 'approval-answered' }]);
    expect(verifyAudit(entries, { key: auditKey, head, faults })).toMatchObject({
      message: expect.stringContaining('approval-answered'),
    });
  });

  it('a forged approval is not executed when a new message closes its turn', async () => {
    const { chat, administer, errors, opened } = administered(create, [[pay]]);
    const approvalId = questionIn(await chat().say('Pay.'));
    const { questions } = await chat().view();
    const toolCallId = questions[0]?.toolCallId;
    const answer = { approved: true, input: { to: 'eve', amount: 9000 }, by: ada, via: 'http' };
    await administer(`
      insert into events (chat, seq, at, run, body)
        select chat, seq + 1, updated_at, run, ${text({ type: 'approval-answered', approvalId, toolCallId, ...answer })}
        from chats where id = 'chat';
      update chats set seq = seq + 1 where id = 'chat';`);
    const second = opened([[done]]);
    const { ask, events } = second.chat();
    await second.read(await ask({ message: userMessage('another', 'Go on.') }));
    expect(second.ran).toEqual([]);
    expect(await events()).toContainEqual(
      expect.objectContaining({
        type: 'tool-failed',
        toolCallId,
        error: 'Not run: its approval could not be verified.',
      }),
    );
    expect(errors).toContain('A call was not run: its approval is not in the sealed record.');
  });

  it('an approval on another instance is executed', async () => {
    const { chat, another, opened, flow } = administered(create, [[pay]]);
    const approvalId = questionIn(await chat().say('Pay.'));
    await flow.close();
    const second = opened([[done]], {}, another());
    await second.chat().answer(approvalId, true);
    expect(second.ran).toMatchObject([{ input: pay.input }]);
  });

  it('an approval that its process could not use before it died is executed', async () => {
    const { chat, administer, store, opened } = administered(create, [[pay]]);
    const approvalId = questionIn(await chat().say('Pay.'));
    // Ends between the answer and what follows.
    const dying = opened(
      [],
      {},
      {
        ...store,
        append: async (batch) => {
          const cut = batch.events.findIndex(({ type }) => type === 'approval-answered') + 1;
          if (cut === 0) throw new Error('This process has ended.');
          const events = batch.events.slice(0, cut);
          const last = events.at(-1);
          const head = { ...batch.head, seq: last?.seq ?? 0, auditHead: last?.seal ?? null };
          await store.append({ ...batch, events, head, lease: { owner: 'gone', until: 0 } });
          throw new Error('This process has ended.');
        },
      },
    );
    await dying
      .chat()
      .answer(approvalId, true)
      .catch(() => {});
    expect(dying.ran).toEqual([]);
    await administer(`update chats set lease_until = 0`);
    const second = opened([[done]]);
    await second.flow.recover();
    await second.chat().resume();
    expect(second.ran).toMatchObject([{ input: pay.input }]);
  });

  it('arguments that were changed under an open question are not executed', async () => {
    const { chat, administer, opened, errors } = administered(create, [[pay]]);
    const approvalId = questionIn(await chat().say('Pay.'));
    await administer(`update events set body = replace(body, '"amount":30', '"amount":9000')`);
    const second = opened([[done]]);
    await second.chat().answer(approvalId, true);
    expect(second.ran).toEqual([]);
    expect(errors).toHaveLength(1);
  });

  it('a call whose gate was removed is not executed', async () => {
    const { chat, administer, opened } = administered(create, [[pay]]);
    await chat().say('Pay.');
    await administer(
      `update events set body = replace(body, '"gate":{"type":"ask"}', '"gate":{"type":"none"}')`,
    );
    await forge(administer, [runStarted]);
    const second = opened([[done]]);
    await second.flow.recover();
    await second.chat().resume();
    expect(second.ran).toEqual([]);
  });

  it('an approval whose seal belongs to another event is not executed', async () => {
    const { chat, administer, store, opened, say, answer, view } = administered(create, [
      [pay],
      [done],
      [pay],
    ]);
    await answer(questionIn(await say('Pay.')), true);
    const approvalId = questionIn(await say('Pay again.'));
    const { questions } = await view();
    const toolCallId = questions.at(-1)?.toolCallId;
    const seal = (await store.events.read(chat().id, 0)).find(
      ({ type }) => type === 'approval-answered',
    )?.seal;
    const answered = { type: 'approval-answered', approvalId, toolCallId, approved: true, by: ada, via: 'x' };
    await forge(administer, [runStarted, { ...answered, seal }]);
    const second = opened([[done]]);
    await second.flow.recover();
    await second.chat().resume();
    expect(second.ran).toEqual([]);
    const { faults } = await second.flow.audit.read({ principal: ada, chatId: chat().id });
    expect(faults).toMatchObject([{ type: 'misplaced', event: 'approval-answered', toolCallId }]);
  });

  it('a call is not run again after a forged start', async () => {
    const idempotent = { toolDetails: { pay: { idempotent: true } } };
    const { chat, administer, opened } = administered(create, [[pay]], idempotent);
    const approvalId = questionIn(await chat().say('Pay.'));
    const toolCallId = (await chat().view()).questions[0]?.toolCallId;
    await forge(administer, [
      runStarted,
      { type: 'approval-answered', approvalId, toolCallId, approved: true, by: ada, via: 'http' },
      { type: 'tool-started', toolCallId, input: { to: 'eve', amount: 9000 } },
    ]);
    const second = opened([[done]]);
    await second.flow.recover();
    await second.chat().resume();
    expect(second.ran).toEqual([]);
  });

  it('a person is asked if a forged remembered approval covers the call', async () => {
    const script = [[pay], [done], [pay], [done]];
    const { administer, flow, opened, say, answer } = administered(create, script, {
      plugins: [remembered()],
    });
    const remember = { scope: 'me' as const, match: 'tool' as const };
    await answer(questionIn(await say('Pay.')), true, { plugins: { remembered: remember } });
    const [kept] = (await flow.remembered.list({ principal: ada })).items;
    // The same approval under another id, as if it had never been revoked.
    await administer(`update records set value = replace(value, '${kept?.id}', 'grant_forged')`);
    const second = opened([[pay], [done]]);
    questionIn(await second.chat('other').say('Pay again.'));
    expect(second.ran).toEqual([]);
  });

  it('a person is asked if a remembered approval of other arguments was moved to all calls of the tool', async () => {
    const more = { ...pay, input: { to: 'bob', amount: 40 } };
    const script = [[pay], [done], [more], [done]];
    const { chat, administer, store, opened } = administered(create, script, { plugins: [remembered()] });
    const { say, answer } = chat();
    const exact = { scope: 'me' as const, match: 'exact-arguments' as const };
    await answer(questionIn(await say('Pay.')), true, { plugins: { remembered: exact } });
    await answer(questionIn(await say('Pay Bob.')), true, {
      plugins: { remembered: { ...exact, match: 'tool' } },
    });
    const kind = { plugin: 'remembered', kind: 'approval' };
    const { items } = await store.records.list({ ...kind, ownerId: 'ada', limit: 9 });
    const [ofAll, ofOne] = ['tool', 'exact-arguments'].map((match) =>
      items.find(({ value }) => JSON.parse(value).match === match),
    );
    await administer(`
      delete from records where key like '%${ofAll?.key}%';
      update records set key = replace(key, '${ofOne?.key}', '${ofAll?.key}'),
        value = replace(value, '${ofOne?.key}', '${ofAll?.key}');`);
    const second = opened([[pay], [done]]);
    questionIn(await second.chat('other').say('Pay Eve.'));
    expect(second.ran).toEqual([]);
  });

  it('a tool stays paused after a forged end of its pause', async () => {
    const { chat, flow, administer, opened, errors } = administered(create, [[pay]]);
    const approvalId = parseApprovalId(questionIn(await chat().say('Pay.')));
    await flow.tools.pause({ principal: ada, tool: 'pay', reason: 'The bank is down.' });
    const ended = { type: 'unpaused', tool: 'pay', by: ada, state: { pauses: [], checkpointAt: 0 } };
    await administer(`
      insert into events (chat, seq, at, run, body)
        select chat, seq + 1, updated_at, '', ${text(ended)} from chats where id = '${flowLogId}';
      update chats set seq = seq + 1 where id = '${flowLogId}';`);
    const second = opened([[done]]);
    const approve = second.flow.approvals.answer({ principal: ada, approvalId, approved: true, via: 'http' });
    await expect(approve).rejects.toMatchObject({ code: 'paused' });
    expect(errors).toContain('The log of the flow ends with events that its audit key did not seal.');
  });

  it('a call is not executed after an approval of a question without a seal', async () => {
    const { chat, administer, opened } = administered(create, [[pay], [done], [pay]]);
    const { say, answer } = chat();
    await answer(questionIn(await say('Pay.')), true);
    const approvalId = questionIn(await say('Pay again.'));
    await administer(`update events set body = replace(body, '"seal":', '"unsealed":')
      where body like '%${approvalId}%'`);
    const second = opened([[done]]);
    await second.chat().answer(approvalId, true);
    expect(second.ran).toEqual([]);
  });

  it('a call without a gate is executed if its owner died before starting it', async () => {
    const { chat, administer, opened } = administered(create, [[done]]);
    await chat().say('Hello.');
    const call = { toolCallId: 'c1', toolName: 'weather', input: { city: 'Rome' } };
    const content = [{ type: 'tool-call', ...call }];
    await forge(administer, [
      runStarted,
      { type: 'step-started', step: 1 },
      {
        type: 'step-finished',
        step: 1,
        messages: [{ role: 'assistant', content }],
        finishReason: 'tool-calls',
        usage: {},
      },
      { type: 'tool-requested', ...call, executor: 'server', kind: 'function', gate: { type: 'none' } },
    ]);
    const second = opened([[done]]);
    await second.flow.recover();
    await second.chat().resume();
    expect(second.ran).toMatchObject([{ tool: 'weather' }]);
  });

  it('the answer to a question that was asked before there was a key is executed', async () => {
    const { chat, opened } = administered(create, [[pay]], { auditKey: undefined });
    const approvalId = questionIn(await chat().say('Pay.'));
    const second = opened([[done]], { auditKey });
    await second.chat().answer(approvalId, true);
    expect(second.ran).toMatchObject([{ input: pay.input }]);
    const { faults } = await second.flow.audit.read({ principal: ada, chatId: chat().id });
    expect(faults).toEqual([]);
  });

  it('the answer to a question of an instance with the same key in a ring is executed', async () => {
    const ring = { current: { id: 'k1', key: auditKey }, former: [{ key: auditKey }] };
    const { chat, opened } = administered(create, [[pay]], { auditKey: ring });
    const approvalId = questionIn(await chat().say('Pay.'));
    const plain = opened([[done]], { auditKey });
    await plain.flow.recover();
    await plain.chat().answer(approvalId, true);
    expect(plain.ran).toHaveLength(1);
  });

  it('the answer to a question that was sealed with a former key is executed, but not with a lost one', async () => {
    const { chat, opened } = administered(create, [[pay], [pay]]);
    const [first, other] = [
      questionIn(await chat('one').say('Pay.')),
      questionIn(await chat('two').say('Pay.')),
    ];
    const current = { id: 'k2', key: 'a second key for tests' };
    const lost = opened([[done]], { auditKey: { current } });
    await lost.chat('two').answer(other, true);
    expect(lost.ran).toEqual([]);
    const rotated = opened([[done]], { auditKey: { current, former: [{ key: auditKey }] } });
    await rotated.chat('one').answer(first, true);
    expect(rotated.ran).toHaveLength(1);
    const { entries, head, faults } = await rotated.flow.audit.read({
      principal: ada,
      chatId: chat('one').id,
    });
    const ring = { current, former: [{ key: auditKey }] };
    expect(verifyAudit(entries, { key: ring, head, faults })).toBeUndefined();
    expect(verifyAudit(entries, { key: { current }, head })).toMatchObject({ index: 0 });
  });
});
