import type { FlowSettings } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { fakeClock, type Script } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FlowStore } from '../../../lib/log/store/index.ts';
import { flowLogId, parseApprovalId } from '../../../lib/protocol/index.ts';
import { messageOf, plain } from '../../support/client-message.ts';
import { ada, flowFixture, questionIn, userMessage } from '../../support/flow-fixture.ts';
import { waitFor } from '../../support/wait-for.ts';

const pay = { call: 'pay', input: { to: 'alice', amount: 30 } };
const weather = { call: 'weather', input: { city: 'Rome' } };
const done = { text: 'Done.' };
const eve = { id: 'eve', name: 'Eve' };
const reason = 'The bank is down.';

function opened(script: Script, settings: Partial<FlowSettings> = {}) {
  const clock = fakeClock();
  const fixture = flowFixture(script, { clock, ...settings });
  onTestFinished(() => fixture.flow.close());
  return { ...fixture, clock };
}

describe('while a tool is paused', () => {
  it('an approval is refused with `paused`, the question stays open, and it is accepted afterwards', async () => {
    const { chat, flow, ran } = opened([[pay], [done]]);
    const approvalId = parseApprovalId(questionIn(await chat().say('Pay.')));
    await flow.tools.pause({ principal: eve, tool: 'pay', reason });
    const approve = () => flow.approvals.answer({ principal: ada, approvalId, approved: true, via: 'http' });
    await expect(approve()).rejects.toMatchObject({ code: 'paused', fields: { approvalId, reason } });
    expect(await flow.approvals.read({ principal: ada, approvalId })).toMatchObject({
      state: 'open',
      paused: { reason },
    });
    expect((await chat().view()).questions).toMatchObject([{ paused: { reason } }]);
    expect(ran).toEqual([]);
    await flow.tools.unpause({ principal: eve, tool: 'pay' });
    expect(await flow.approvals.read({ principal: ada, approvalId })).not.toHaveProperty('paused');
    await approve();
    await chat().resume();
    expect(ran).toHaveLength(1);
  });

  it('a denial is accepted', async () => {
    const { flow, say, answer, view } = opened([[pay], [done]]);
    const approvalId = questionIn(await say('Pay.'));
    await flow.tools.pause({ principal: eve, tool: 'pay', reason });
    await answer(approvalId, false);
    expect((await view()).questions).toMatchObject([{ state: 'denied' }]);
  });

  it('a question that was settled before shows no pause, in a stored chat and in a replay', async () => {
    const { flow, say, answer, resume, view } = opened([[pay], [done]]);
    await answer(questionIn(await say('Pay.')), false);
    await flow.tools.pause({ principal: eve, tool: 'pay', reason });
    expect((await messageOf((await resume()) ?? [])).parts).toEqual(
      plain((await view()).messages.at(-1)?.parts),
    );
  });

  it('a call without a gate does not start, the model sees this, and other tools run', async () => {
    const { chat, flow, ran, model } = opened([[weather, { call: 'locate', input: {} }], [done]], {
      toolApproval: { locate: 'not-applicable' },
    });
    await flow.tools.pause({ principal: eve, tool: 'weather', reason });
    await chat().say('How is it?');
    expect(ran).toEqual([]);
    const events = await chat().events();
    expect(events.filter(({ type }) => type === 'tool-started')).toEqual([]);
    expect(events.find(({ type }) => type === 'tool-failed')).toMatchObject({
      error: `Not run: weather is paused. ${reason}`,
      retryable: true,
      outcome: 'failed',
    });
    expect(model.calls).toHaveLength(1);
  });

  it('a remembered approval or a policy starts nothing either', async () => {
    const { chat, flow, ran } = opened([[pay], [done]], { toolApproval: { pay: 'approved' } });
    await flow.tools.pause({ principal: eve, reason });
    await chat().say('Pay.');
    expect(ran).toEqual([]);
  });

  it('no call is handed to a client', async () => {
    const { chat, flow } = opened([[{ call: 'theme', input: {} }], [done]]);
    await flow.tools.pause({ principal: eve, tool: 'theme', reason });
    await chat().say('Which theme?');
    expect((await chat().view()).run).toEqual({ status: 'idle' });
  });

  it('a client call that was not handed over has an outcome, so a model that says nothing ends the turn [T15]', async () => {
    const { chat, flow } = opened([[{ call: 'theme', input: {} }], []]);
    await flow.tools.pause({ principal: eve, tool: 'theme', reason });
    const chunks = await chat().say('Which theme?');
    expect(chunks.map(({ type }) => type)).toContain('tool-output-error');
    expect(chunks.at(-1)).toMatchObject({ type: 'finish' });
    expect((await chat().view()).run).toEqual({ status: 'idle' });
  });

  it('a client call that was not handed over has not run, so another answer leaves it out', async () => {
    const { flow, model, say, ask, id } = opened([[{ call: 'theme', input: {} }], [done], [done]]);
    await flow.tools.pause({ principal: eve, tool: 'theme', reason });
    await say('Which theme?');
    await ask({ trigger: 'regenerate-message' });
    await expect
      .poll(async () => (await flow.chats.read({ principal: ada, chatId: id })).run.status)
      .toBe('idle');
    expect(JSON.stringify(model.calls.at(-1)?.prompt)).not.toContain('tool-call');
  });

  it('a call with a durable start is not executed if the pause comes in between', async () => {
    const real = sqliteStore({ path: ':memory:' });
    let pause: (() => Promise<void>) | undefined;
    const store: FlowStore = {
      ...real,
      append: async (batch) => {
        const result = await real.append(batch);
        const starts = batch.events.some(({ type }) => type === 'tool-started');
        if (starts) await pause?.();
        return result;
      },
    };
    const { chat, flow, ran } = opened([[weather], [done]], { store });
    pause = () => flow.tools.pause({ principal: eve, tool: 'weather', reason });
    await chat().say('How is it?');
    expect(ran).toEqual([]);
    const events = await chat().events();
    expect(events.find(({ type }) => type === 'tool-failed')).toMatchObject({
      outcome: 'failed',
      retryable: true,
    });
  });

  it('a call that its owner did not finish is not run again', async () => {
    const store = sqliteStore({ path: ':memory:' });
    const refused = Object.assign(new Error('Gone.'), { transient: false });
    const toolDetails = { weather: { idempotent: true } };
    const dying = opened([[weather]], {
      toolDetails,
      store: {
        ...store,
        append: async (batch) => {
          if (batch.events.some(({ type }) => type === 'tool-completed')) throw refused;
          return store.append(batch);
        },
      },
      logger: { warn: () => {}, error: () => {} },
    });
    await dying.chat().ask({ message: userMessage('u1', 'How is it?') });
    await waitFor(() => expect(dying.ran).toHaveLength(1));
    const next = opened([[done]], { store, toolDetails });
    await next.flow.tools.pause({ principal: eve, tool: 'weather', reason });
    next.clock.advance(3_600_000);
    await next.flow.recover();
    await next.chat().resume();
    expect(next.ran).toEqual([]);
    const events = await next.chat().events();
    expect(events.find(({ type }) => type === 'tool-failed')).toMatchObject({ outcome: 'unknown' });
  });

  it('a person may retry a call that did not run, and it runs after the pause', async () => {
    const { chat, flow, ran, read } = opened([[weather], [done], [done]]);
    await flow.tools.pause({ principal: eve, tool: 'weather', reason });
    await chat().say('How is it?');
    const failed = (await chat().events()).find(({ type }) => type === 'tool-failed');
    await flow.tools.unpause({ principal: eve, tool: 'weather' });
    const toolCallId = failed?.type === 'tool-failed' ? failed.toolCallId : undefined;
    if (!toolCallId) throw new Error('Nothing failed.');
    await read(await flow.chats.retryCall({ principal: ada, chatId: chat().id, toolCallId }));
    expect(ran).toHaveLength(1);
  });
});

describe('a pause on another instance', () => {
  it('takes effect here within a sweep, and on an instance that starts later', async () => {
    const store = sqliteStore({ path: ':memory:' });
    const here = opened([[weather], [done]], { store });
    const there = opened([], { store });
    await there.flow.tools.pause({ principal: eve, tool: 'weather', reason });
    await here.flow.recover();
    await here.chat().say('How is it?');
    expect(here.ran).toEqual([]);
    const later = opened([[weather], [done]], { store });
    await later.chat('later').say('How is it?');
    expect(later.ran).toEqual([]);
    expect(await later.flow.tools.pauses()).toMatchObject([{ tool: 'weather', reason, by: eve }]);
  });

  it('reaches readers of the feed of questions', async () => {
    const store = sqliteStore({ path: ':memory:' });
    const here = opened([[pay]], { store });
    const there = opened([], { store });
    await here.chat().say('Pay.');
    const { changes } = await here.flow.approvals.feed({ principal: ada });
    const reader = changes.getReader();
    onTestFinished(() => reader.cancel());
    await there.flow.tools.pause({ principal: eve, tool: 'pay', reason });
    expect((await reader.read()).value).toMatchObject({ question: { state: 'open', paused: { reason } } });
    await there.flow.tools.unpause({ principal: eve, tool: 'pay' });
    const again = await reader.read();
    expect(again.value?.question).not.toHaveProperty('paused');
  });

  it.each<[string, Partial<FlowSettings>]>([
    ['ownership', {}],
    ['rules', { mayAnswer: (by, { ownerId }) => by.id === ownerId }],
  ])(
    'reaches a reader whose question follows a page of others’, and moves no position, by %s',
    async (_name, rules) => {
      const { flow, chat } = opened(() => [pay], rules);
      for (let index = 0; index < 101; index += 1) await chat(`of-eve-${index}`, eve).say('Pay.');
      await chat('of-ada').say('Pay.');
      const { changes } = await flow.approvals.feed({ principal: ada });
      const reader = changes.getReader();
      onTestFinished(() => reader.cancel());
      await flow.tools.pause({ principal: eve, tool: 'pay', reason });
      const { value } = await reader.read();
      expect(value).toMatchObject({ question: { chatId: 'of-ada', paused: { reason } } });
      expect(value).not.toHaveProperty('place');
    },
  );
});

describe('the flow’s log', () => {
  it('says who paused what, why, and who ended the pause', async () => {
    const { flow, store } = opened([]);
    await flow.tools.pause({ principal: eve, tool: 'pay', reason });
    await flow.tools.pause({ principal: eve, reason: 'All of it.' });
    await flow.tools.unpause({ principal: ada, tool: 'pay' });
    await flow.tools.unpause({ principal: ada, tool: 'pay' });
    expect(await store.events.read(flowLogId, 0)).toMatchObject([
      { seq: 1, type: 'paused', tool: 'pay', reason, by: eve },
      { seq: 2, type: 'paused', reason: 'All of it.', by: eve },
      { seq: 3, type: 'unpaused', tool: 'pay', by: { id: 'ada', name: 'Ada' } },
    ]);
    expect(await flow.tools.pauses()).toMatchObject([{ reason: 'All of it.' }]);
  });

  it('is in no list, cannot be read as a chat, and is never erased by retention', async () => {
    const nobody = { id: '', name: 'Nobody' };
    const { flow, store, clock } = opened([], { retentionMs: 1_000, mayChange: () => true });
    await flow.tools.pause({ principal: eve, tool: 'pay', reason });
    expect((await flow.chats.list({ principal: nobody })).items).toEqual([]);
    for (const act of [
      () => flow.chats.read({ principal: nobody, chatId: flowLogId }),
      () => flow.chats.erase({ principal: nobody, chatId: flowLogId }),
      () => flow.chats.rename({ principal: nobody, chatId: flowLogId, title: 'x' }),
      () => flow.audit.read({ principal: nobody, chatId: flowLogId }),
      () => flow.chats.timeline({ principal: nobody, chatId: flowLogId }),
    ]) {
      await expect(act()).rejects.toMatchObject({ code: 'not-found' });
    }
    clock.advance(10_000);
    await flow.recover();
    expect(await store.events.read(flowLogId, 0)).toHaveLength(1);
  });

  it.each(['', '  ', 'x'.repeat(2_001)])('accepts no pause with the reason %j', async (text) => {
    const { flow } = opened([]);
    await expect(flow.tools.pause({ principal: eve, reason: text })).rejects.toMatchObject({
      code: 'invalid-request',
    });
  });
});
