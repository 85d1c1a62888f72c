import { type ToolSet, tool } from 'ai';
import { notTheAsker } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { dyingStore, fakeClock, type ScriptedStep } from 'countersign/testing';
import { timelineOf } from 'countersign/views';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Principal, parseApprovalId, parseToolCallId } from '../../../lib/protocol/index.ts';
import { ada, flowFixture, questionIn } from '../../support/flow-fixture.ts';

const clerk = { ...ada, role: 'clerk', tenant: 'blue', limits: { payment: 1_000 } } as Principal;
const manager: Principal = { id: 'bob', name: 'Bob', role: 'manager' };
const script: ScriptedStep[] = [[{ call: 'act', input: {} }], [{ text: 'Done.' }]];
const at = 1_700_000_000_000;

/** A tool that keeps what it is given, and a chat of the clerk's. */
function given(settings: Partial<Parameters<typeof flowFixture>[1]> = {}, gated = true) {
  const contexts: { principal?: unknown; approvedBy?: unknown }[] = [];
  const act = tool({
    inputSchema: z.looseObject({}),
    needsApproval: gated,
    execute: async (_input, { context }: { context?: unknown }) => {
      contexts.push(context as never);
      return 'done';
    },
  });
  const clock = fakeClock(at);
  const fixture = flowFixture(script, { tools: { act } as ToolSet, clock, ...settings });
  return { ...fixture, clock, contexts, chat: fixture.chat('chat', clerk) };
}

const recorded = { ...clerk, recordedAt: at };

describe('a tool gets its asker as recorded at the message [ADR 0015]', () => {
  it('when the asker approves later, with another role by then', async () => {
    const { chat, contexts, clock, flow } = given();
    const approvalId = parseApprovalId(questionIn(await chat.say('Act.')));
    clock.advance(60_000);
    const promoted = { ...ada, role: 'manager' };
    await flow.approvals.answer({ principal: promoted, approvalId, approved: true, via: 'test' });
    await chat.resume();
    expect(contexts).toMatchObject([{ principal: recorded, approvedBy: ada }]);
    expect(contexts[0]?.principal).toEqual(recorded);
  });

  it('when the call needs no approval', async () => {
    const { chat, contexts } = given({}, false);
    await chat.say('Act.');
    expect(contexts[0]?.principal).toEqual(recorded);
  });

  it('when a new message makes the approved call run first', async () => {
    const { chat, contexts } = given();
    const approvalId = parseApprovalId(questionIn(await chat.say('Act.')));
    await chat.say('And then?', { answers: [{ approvalId, approved: true }], principal: ada });
    expect(contexts[0]?.principal).toEqual(recorded);
  });

  it('when the call is retried after a failure', async () => {
    const seen: unknown[] = [];
    const flaky = tool({
      inputSchema: z.looseObject({}),
      execute: async (_input, { context }: { context?: unknown }) => {
        seen.push((context as { principal: unknown }).principal);
        if (seen.length === 1)
          throw Object.assign(new Error('Busy.'), { statusCode: 503, isRetryable: true });
        return 'done';
      },
    });
    const { flow, chat, events } = (() => {
      const made = given({ tools: { act: flaky } as ToolSet, retry: false });
      return { ...made, events: made.chat.events };
    })();
    await chat.say('Act.');
    const failed = (await events()).find((event) => event.type === 'tool-failed');
    const toolCallId = parseToolCallId(failed?.type === 'tool-failed' ? failed.toolCallId : '');
    await flow.chats.retryCall({ principal: ada, chatId: chat.id, toolCallId });
    await chat.resume();
    expect(seen).toEqual([recorded, recorded]);
  });

  it('when another instance takes the run over', async () => {
    const store = sqliteStore({ path: ':memory:' });
    const dying = dyingStore(store, { when: 'after', append: 1 });
    const before = given({ store: dying.store, leaseMs: 10_000 }, false);
    void before.chat.say('Act.').catch(() => {});
    await dying.died;
    const after = given({ store, leaseMs: 10_000, clock: before.clock }, false);
    before.clock.advance(10_000);
    await after.flow.recover();
    await after.chat.resume();
    expect(after.contexts[0]?.principal).toEqual(recorded);
  });

  it('as JSON, without its functions', async () => {
    const { flow, contexts, read, chat } = given({}, false);
    const withMethods = { ...clerk, can: () => true } as Principal;
    const message = { id: 'm' as never, parts: [{ type: 'text' as const, text: 'Act.' }] };
    const request = { chatId: chat.id, trigger: 'submit-message' as const, via: 'test', message };
    await read(await flow.chats.respond({ ...request, principal: withMethods }));
    expect(contexts[0]?.principal).toEqual(recorded);
  });

  it('and refuses one that is too large to record, with the reason only in the log', async () => {
    const { chat, flow } = given();
    const large = {
      ...ada,
      groups: Array.from({ length: 5_000 }, (_, index) => `group-${index}`),
    } as Principal;
    await expect(chat.say('Act.', { principal: large })).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('16384'),
    });
    expect((await flow.chats.list({ principal: ada })).items).toEqual([]);
  });
});

describe('only tools get the recorded principal [ADR 0015]', () => {
  it('people, the timeline and the audit record get only the name', async () => {
    const secretive = { ...clerk, session: 'session-token-4711' } as Principal;
    const { flow, chat, store } = given({
      auditKey: 'a key of the test only',
      mayAnswer: () => true,
      toolDetails: { act: { approvers: notTheAsker } },
    });
    const shown = await chat.say('Act.', { principal: secretive });
    const approvalId = parseApprovalId(questionIn(shown));
    await flow.approvals.answer({ principal: manager, approvalId, approved: true, via: 'test' });
    const where = { principal: ada, chatId: chat.id };
    const events = await flow.chats.timeline(where);
    const told = [
      shown,
      await chat.resume(),
      await chat.view(),
      events,
      await flow.audit.read(where),
      await flow.approvals.read({ principal: manager, approvalId }),
      timelineOf(chat.id, events),
    ];
    expect(JSON.stringify(told)).not.toMatch(/4711|tenant/);
    expect(JSON.stringify(told)).toContain('"Ada"');
    expect(JSON.stringify(await store.events.read(chat.id, 0))).toContain('4711');
  });
});
