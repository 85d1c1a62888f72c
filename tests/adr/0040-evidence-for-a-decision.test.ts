import { type ToolSet, tool, type UIMessageChunk } from 'ai';
import type { FlowSettings, Preview, Principal } from 'countersign';
import { remembered } from 'countersign/plugins/remembered';
import { sqliteStore } from 'countersign/store';
import { fakeClock, type ScriptedStep } from 'countersign/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import { canonicalJson, parseApprovalId, parseChatId } from '../../lib/protocol/index.ts';
import { runtime } from '../../lib/runtime/runtime.ts';
import { adr } from '../support/adr.ts';
import { ada, flowFixture, questionIn } from '../support/flow-fixture.ts';

const { clause } = adr('0040-evidence-for-a-decision.md');

type Input = { status: string; token?: string };
type Details = { preview?: (input: Input, context: { principal: Principal }) => unknown } & Record<
  string,
  unknown
>;

const call: ScriptedStep = [{ call: 'update', id: 'one', input: { status: 'active', token: 'tk-secret' } }];
const minute = 60_000;

/** A flow whose gated tool changes as many users as there are. */
function updating(
  details: Details,
  settings: Partial<FlowSettings> = {},
  script: ScriptedStep[] = [call, [{ text: 'Done.' }]],
) {
  const clock = fakeClock();
  const ran: unknown[] = [];
  const update = tool({
    inputSchema: z.object({ status: z.string(), token: z.string().optional() }),
    needsApproval: true,
    execute: async (input) => ran.push(input),
  });
  const logged: string[] = [];
  const logger = { warn: () => {}, error: (message: string) => logged.push(message) };
  const fixture = flowFixture(script, {
    tools: { update } as ToolSet,
    toolDetails: { update: details } as FlowSettings['toolDetails'],
    clock,
    logger,
    ...settings,
  });
  return { ...fixture, ...fixture.chat(), ran, clock, logged };
}

function users(): { count: number; made: number; preview: (input: Input) => Preview } {
  const state = {
    count: 2,
    made: 0,
    preview: ({ status }: Input): Preview => {
      state.made += 1;
      return {
        summary: `${state.count} users → ${status}`,
        parts: [{ type: 'totals', totals: [{ label: 'users', value: state.count }] }],
      };
    },
  };
  return state;
}

const descriptorIn = (chunks: readonly UIMessageChunk[]) =>
  (chunks.find((chunk) => 'approvalDescriptor' in chunk) as { approvalDescriptor: Record<string, unknown> })
    .approvalDescriptor;

const previewIn = (chunks: readonly UIMessageChunk[]) => descriptorIn(chunks).preview;

clause('0040.1', async () => {
  const seen: unknown[] = [];
  const { flow, say, view, events } = updating({
    preview: ({ status }, { principal }) => {
      seen.push(principal.id);
      return { summary: `2 users → ${status}` };
    },
    approvers: () => true,
  });
  const asked = await say('Update.');
  const effect = { state: 'made', summary: '2 users → active', digest: expect.stringMatching(/^[\w-]{22}$/) };
  expect(previewIn(asked)).toEqual({ ...effect, at: expect.stringMatching(/Z$/) });
  const approvalId = parseApprovalId(questionIn(asked));
  const boss = { id: 'bob', name: 'Bob' };
  expect((await flow.approvals.read({ approvalId, principal: boss })).preview).toMatchObject(effect);
  const listed = await flow.approvals.list({ principal: boss, state: 'open' });
  expect(listed.items[0]?.preview).toMatchObject(effect);
  const { messages, questions } = await view();
  expect(questions[0]?.preview).toMatchObject(effect);
  expect(messages[1]?.parts.at(-1)).toMatchObject({ approval: { descriptor: { preview: effect } } });
  expect((await events()).find(({ type }) => type === 'approval-requested')).toMatchObject({
    preview: effect,
  });
  expect(seen).toEqual([ada.id]);
});

clause('0040.2', async () => {
  const { say, store, id } = updating({
    preview: ({ token }) => ({
      summary: `Uses ${token}.`,
      parts: [{ type: 'table', rows: [{ name: 'Ada', iban: 'DE89' }] }],
    }),
    secrets: { input: ['token'], output: ['*.iban'] },
  });
  const preview = previewIn(await say('Update.'));
  expect(preview).toMatchObject({
    summary: 'Uses [redacted].',
    parts: [{ type: 'table', rows: [{ name: 'Ada', iban: '[redacted]' }] }],
  });
  const log = (await store.events.read(id, 0)).filter(({ type }) => type === 'approval-requested');
  expect(JSON.stringify(log)).not.toMatch(/tk-secret|DE89/);
});

clause('0040.3', async () => {
  const state = users();
  const { flow, say, answer, clock, ran, store, id } = updating({ preview: state.preview });
  const asked = await say('Update.');
  const approvalId = parseApprovalId(questionIn(asked));
  const { digest: previewDigest } = previewIn(asked) as { digest: string };
  clock.advance(2 * minute);
  state.count = 900;
  const given = { principal: ada, approvalId, via: 'http', approved: true, previewDigest };
  await expect(flow.approvals.answer(given)).rejects.toMatchObject({ code: 'preview-changed' });
  expect(ran).toEqual([]);
  const now = await flow.approvals.read({ approvalId, principal: ada });
  expect(now).toMatchObject({ state: 'open', preview: { summary: '900 users → active' } });
  await expect(answer(approvalId, true, { previewDigest })).rejects.toMatchObject({
    code: 'preview-changed',
  });
  // Rejected: only the question's own digest is compared. It is the same.
  expect(now).not.toHaveProperty('outdated');

  // The same effect again is recorded by its time alone.
  clock.advance(2 * minute);
  const before = state.made;
  const [same, also] = await Promise.all([
    flow.approvals.preview({ principal: ada, approvalId }),
    flow.approvals.preview({ principal: ada, approvalId }),
  ]);
  expect([state.made - before, also]).toEqual([1, same]);
  expect(same.preview).toMatchObject({ state: 'made', summary: '900 users → active', at: clock.now() });
  expect((await store.events.read(id, 0)).at(-1)).not.toHaveProperty('preview');
  expect((await flow.approvals.read({ approvalId, principal: ada })).preview).toEqual(same.preview);

  await flow.approvals.answer({ principal: ada, approvalId, via: 'http', approved: true });
  await flow.close();
  expect(ran).toHaveLength(1);
});

clause('0040.4', async () => {
  const { promise: called, resolve: onCall } = Promise.withResolvers<void>();
  const slow = updating({
    preview: () => {
      onCall();
      return new Promise<never>(() => {});
    },
  });
  const asking = slow.say('Update.');
  await called;
  slow.clock.advance(3_000);
  expect(previewIn(await asking)).toMatchObject({ state: 'failed' });

  const broken: unknown[] = [{ text: 'no summary' }, { summary: 'x'.repeat(2_001) }, 'text', null];
  for (const result of [...broken, new Error('tk-secret')]) {
    const { say, answer, ran, logged } = updating({
      preview: () => {
        if (result instanceof Error) throw result;
        return result;
      },
    });
    const asked = await say('Update.');
    expect(previewIn(asked)).toEqual({ state: 'failed', at: expect.any(String) });
    expect(JSON.stringify(logged)).not.toContain('tk-secret');
    expect(logged).toHaveLength(1);
    await answer(questionIn(asked), true, { previewDigest: 'shown before' });
    expect(ran).toHaveLength(1);
  }
});

clause('0040.5', async () => {
  let works = false;
  const { say, answer, ran, clock } = updating({
    preview: () => {
      if (!works) throw new Error('The database is gone.');
      return { summary: '2 users' };
    },
    previewRequired: true,
  });
  const asked = await say('Update.');
  expect(previewIn(asked)).toMatchObject({ state: 'failed', required: true });
  for (const previewDigest of [undefined, 'any']) {
    const given = previewDigest === undefined ? {} : { previewDigest };
    await expect(answer(questionIn(asked), true, given)).rejects.toMatchObject({ code: 'preview-changed' });
  }
  works = true;
  clock.advance(minute);
  await answer(questionIn(asked), true);
  expect(ran).toHaveLength(1);

  const denied = updating({ preview: () => undefined, previewRequired: true });
  await denied.answer(questionIn(await denied.say('Update.')), false);
  expect((await denied.view()).questions[0]?.state).toBe('denied');
});

clause('0040.6', async () => {
  const state = users();
  const { flow, say, store, id, ran } = updating({
    preview: state.preview,
    describe: ({ status }: Input) => `Set every user to ${status}.`,
    approvers: (principal: Principal, question: { input: unknown; editedBy?: object }) =>
      principal.id === 'ada' ? (question.input as Input).status !== 'deleted' : !question.editedBy,
    secrets: { input: ['token'] },
  });
  const approvalId = parseApprovalId(questionIn(await say('Update.')));
  const before = (await store.events.read(id, 0)).length;
  const preview = (input: unknown, principal: Principal = ada) =>
    flow.approvals.preview({ principal, approvalId, input });
  const edited = { status: 'paused', token: '[redacted]' };
  const made = await preview(edited);
  expect(made).toMatchObject({
    description: 'Set every user to paused.',
    preview: { state: 'made', summary: '2 users → paused' },
  });
  await expect(preview({ status: 7 })).rejects.toMatchObject({ code: 'invalid-request' });
  await expect(preview({ status: 'deleted' })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(preview(edited, { id: 'bob', name: 'Bob' })).rejects.toMatchObject({ code: 'forbidden' });
  expect(await store.events.read(id, 0)).toHaveLength(before);

  const { digest: shown } = (await flow.approvals.read({ approvalId, principal: ada })).preview as {
    digest: string;
  };
  const given = { principal: ada, approvalId, via: 'http', approved: true, input: edited };
  await expect(flow.approvals.answer({ ...given, previewDigest: shown })).rejects.toMatchObject({
    code: 'preview-changed',
  });
  const { digest } = made.preview as { digest: string };
  await flow.approvals.answer({ ...given, previewDigest: digest });
  await flow.close();
  expect(ran).toEqual([{ status: 'paused', token: 'tk-secret' }]);
});

clause('0040.7', async () => {
  const state = users();
  const { flow, say, clock, id } = updating({ preview: state.preview }, { auditKey: 'a key of the record' });
  const asked = await say('Update.');
  const approvalId = parseApprovalId(questionIn(asked));
  const first = previewIn(asked) as { digest: string };
  clock.advance(minute);
  state.count = 3;
  const { preview } = await flow.approvals.preview({ principal: ada, approvalId });
  const { digest: previewDigest } = preview as { digest: string };
  await flow.approvals.answer({ principal: ada, approvalId, via: 'http', approved: true, previewDigest });
  await flow.close();
  const { entries, faults } = await flow.audit.read({ principal: ada, chatId: parseChatId(id) });
  expect(faults).toEqual([]);
  expect(entries.flatMap((entry) => ('effect' in entry ? [[entry.type, entry.effect]] : []))).toEqual([
    ['asked', first.digest],
    ['previewed', previewDigest],
    ['answered', previewDigest],
  ]);
});

clause('0040.8', async () => {
  const { say, answer, store, id } = updating({}, { store: sqliteStore({ path: ':memory:' }) });
  const asked = await say('Update.');
  expect(previewIn(asked)).toBeUndefined();
  await answer(questionIn(asked), true, { previewDigest: 'of no tool' });
  const keys = (type: string) =>
    store.events.read(id, 0).then((events) => Object.keys(events.find((event) => event.type === type) ?? {}));
  expect(await keys('approval-requested')).toEqual([
    'seq',
    'at',
    'runId',
    'type',
    'approvalId',
    'toolCallId',
    'description',
    'position',
    'askedBy',
    'digest',
  ]);
});

clause('0040.9', async () => {
  const risk = ({ status }: Input, { history }: { history?: { count: number } }) => {
    if (status === 'odd') throw new Error('tk-secret');
    if (history?.count === 0) return { level: 'high', reason: `new: ${status}, tk-secret` };
    return status === 'active' ? 'low' : { level: 'medium', reason: 'rare' };
  };
  const details = {
    risk,
    subject: ({ status }: Input) => status,
    secrets: { input: ['token'] },
    approvers: (who: Principal, question: { risk?: string; askedBy: { id: string } }) =>
      question.risk !== 'high' || who.id === 'boss',
  };
  const update = (status: string): ScriptedStep => [
    { call: 'update', input: { status, token: 'tk-secret' } },
  ];
  const done: ScriptedStep = [{ text: 'Done.' }];
  const script = [update('active'), done, update('active'), done, update('active'), done, update('new')];
  const { flow, chat, logged } = updating(details, { plugins: [remembered()] }, [...script, update('odd')]);
  const [first, second] = [chat('one'), chat('two')];
  const asked = await first.say('Update.');
  expect(descriptorIn(asked)).toMatchObject({ risk: 'high', riskReason: 'new: active, [redacted]' });
  const boss = { id: 'boss', name: 'Boss' };
  const ofBoss = { principal: boss, via: 'http', approved: true };
  await flow.approvals.answer({ ...ofBoss, approvalId: parseApprovalId(questionIn(asked)) });
  await first.resume();
  const known = await first.say('Again.');
  expect(descriptorIn(known)).toMatchObject({ risk: 'low', history: { subject: 'active', count: 1 } });
  expect(descriptorIn(known)).not.toHaveProperty('riskReason');
  await first.answer(questionIn(known), true, { plugins: { remembered: { scope: 'me', match: 'tool' } } });
  expect((await first.say('Again.')).some(({ type }) => type === 'tool-output-available')).toBe(true);
  // The approval that is remembered covers the tool, but not what is a high risk.
  expect(descriptorIn(await first.say('New.'))).toMatchObject({ risk: 'high', mayAnswer: false });
  expect(descriptorIn(await second.say('Odd.'))).toMatchObject({ risk: 'high' });
  expect(logged.join()).toContain('`risk` of a tool failed');
});

clause('0040.10', async () => {
  const done: ScriptedStep = [{ text: 'Done.' }];
  const script = Array.from({ length: 4 }, () => [call, done]).flat();
  const { chat, clock, store } = updating({ subject: ({ status }: Input) => status }, {}, [
    ...script,
    call,
    call,
  ]);
  const before = { id: 'key:ada', name: 'Ada' };
  for (const [id, who] of [
    ['one', ada],
    ['two', ada],
    ['old', before],
    ['bob', { id: 'bob', name: 'Bob' }],
  ] as const) {
    const { say, answer } = chat(id, who);
    await answer(questionIn(await say('Update.')), id !== 'two');
  }
  const lastAt = new Date(clock.now()).toISOString();
  clock.advance(3 * 24 * 60 * minute);
  const asked = descriptorIn(await chat('three').say('Update.'));
  expect(asked.history).toEqual({
    ...{ subject: 'active', count: 1, lastAt },
    denied: { at: lastAt, by: { id: 'ada', name: 'Ada' } },
  });
  const now = updating(
    { subject: ({ status }: Input) => status },
    { store, formerIds: { 'key:ada': 'ada' }, clock },
    [call],
  );
  expect(descriptorIn(await now.chat('four').say('Update.')).history).toMatchObject({ count: 2 });

  // Rejected: a digest of tool and subject alone, without the asker.
  const marks = await store.calls.recent({
    digest: runtime.digest(canonicalJson(['subject', 'bob', 'update', 'active'])).slice(0, 22),
    chatId: parseChatId('three'),
    askerId: 'bob',
    since: 0,
    limit: 9,
  });
  expect(marks).toHaveLength(1);
});

clause('0040.11', async () => {
  const done: ScriptedStep = [{ text: 'Done.' }];
  const settings = { mayAnswer: ({ id }: Principal) => id === 'ben' || id === 'ada' };
  const details = { subject: ({ status }: Input) => status };
  const { flow, chat, clock } = updating(details, settings, [call, done, call, done, call, call]);
  const ben = { id: 'ben', name: 'Ben', role: 'manager' };
  const deny = async (chatId: string, principal: Principal) => {
    const approvalId = parseApprovalId(questionIn(await chat(chatId).say('Update.')));
    await flow.approvals.answer({ principal, approvalId, via: 'http', approved: false });
    await chat(chatId).resume();
    clock.advance(minute);
  };
  await deny('one', ada);
  const at = new Date(clock.now()).toISOString();
  await deny('two', ben);
  const denied = { at, by: { id: 'ben', name: 'Ben' } };
  const asked = await chat('three').say('Update.');
  expect(descriptorIn(asked).history).toEqual({ subject: 'active', count: 0, denied });
  const listed = await flow.approvals.list({ principal: ben, state: 'open' });
  expect(listed.items[0]?.history?.denied).toEqual({ at: Date.parse(at), by: denied.by });

  // A denial of another person's request is nobody else's history.
  const ofBob = await chat('bob', { id: 'bob', name: 'Bob' }).say('Update.');
  expect(descriptorIn(ofBob).history).toEqual({ subject: 'active', count: 0 });
});

clause('0040.12', async () => {
  const state = users();
  const { flow, say, answer, clock, ran } = updating({ preview: state.preview });
  const approvalId = parseApprovalId(questionIn(await say('Update.')));
  const edited = { approved: true, input: { status: 'paused' }, previewDigest: 'of something else' };
  const given = { principal: ada, approvalId, via: 'http', ...edited };
  for (let count = 0; count < 120; count += 1) {
    await expect(flow.approvals.answer(given)).rejects.toMatchObject({ code: 'preview-changed' });
  }
  const before = state.made;
  const refused = { code: 'rate-limited', fields: { retryAfterMs: expect.any(Number) } };
  await expect(flow.approvals.answer(given)).rejects.toMatchObject(refused);
  await expect(answer(approvalId, true, edited)).rejects.toMatchObject(refused);
  clock.advance(minute / 120 - 1);
  await expect(flow.approvals.answer(given)).rejects.toMatchObject(refused);
  expect(state.made).toBe(before);

  // Answers that cause no preview are not limited.
  await flow.approvals.answer({ principal: ada, approvalId, via: 'http', approved: true });
  await flow.close();
  expect(ran).toHaveLength(1);
});
