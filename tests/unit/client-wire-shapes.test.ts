import { describe, expect, it } from 'vitest';
import { parseResolution } from '../../lib/client/calls/resolution.ts';
import { parseMeasures, parseStatus, parseToolLifecycle } from '../../lib/client/calls/tool-lifecycle.ts';
import { loadChat } from '../../lib/client/chat/stored-chat.ts';
import { readOpenQuestions } from '../../lib/client/inbox/approvals-api.ts';
import { parseDescriptor, parseQuestion } from '../../lib/client/question.ts';
import { parseTimeline } from '../../lib/client/timeline/parse-timeline.ts';

const at = '2026-01-05T09:00:00.000Z';
const by = { id: 'bob', name: 'Bob' };
const question = {
  id: 'apr_1',
  chatId: 'chat',
  toolCallId: 'call_1',
  toolName: 'pay',
  title: 'Payment',
  input: { amount: 30 },
  description: 'Pay 30',
  risk: 'high',
  askedBy: { id: 'ada', name: 'Ada' },
  requestedAt: at,
  repeatOf: { at, outcome: 'completed', chatId: 'other', toolCallId: 'call_0' },
  needsInput: true,
  state: 'approved',
  answer: { approved: true, reason: 'Fine', by, at, via: 'http' },
  mayAnswer: true,
  mayEdit: true,
  mayRemember: false,
  stepUp: { maxAgeMs: 60_000, methods: ['otp'], needed: false },
};
const { risk: _risk, ...withoutRisk } = question;
const { repeatOf: _repeat, ...withoutRepeat } = question;
const { stepUp: _stepUp, ...withoutStepUp } = question;
const effect = { state: 'made', at, digest: 'd1', summary: 'Pays Bob 30.' };

describe('a question from another version of the server', () => {
  it('is read as it is sent', () => {
    expect(parseQuestion(question)).toStrictEqual(question);
  });

  it.each<[string, object, object]>([
    ['an unknown risk', { risk: 'extreme' }, withoutRisk],
    ['an unknown outcome of an earlier call', { repeatOf: { at, outcome: 'paid' } }, withoutRepeat],
    ['a sign-in rule of another kind', { stepUp: { level: 3 } }, withoutStepUp],
    ['a text where a number belongs', { position: { index: '1' } }, question],
    [
      'an effect of which a part does not fit',
      { preview: { ...effect, parts: [{ type: 'map' }] } },
      question,
    ],
    [
      'an effect of which a title does not fit',
      { preview: { ...effect, parts: [{ type: 'list', title: 7, items: [] }] } },
      question,
    ],
  ])('is read without %s', (_what, more, read) => {
    expect(parseQuestion({ ...question, ...more })).toEqual(read);
  });

  it('keeps a field that the page has no reader for', () => {
    expect(parseQuestion({ ...question, weight: 3 })).toEqual({ ...question, weight: 3 });
  });

  it.each<[string, object]>([
    ['an unknown state', { state: 'delegated' }],
    ['no id', { id: undefined }],
    ['no chat', { chatId: 7 }],
  ])('is skipped with %s', (_what, more) => {
    expect(parseQuestion({ ...question, ...more })).toBeUndefined();
  });

  it('says when it was asked, also in the message of a chat', () => {
    expect(parseDescriptor({ requestedAt: at }, 'pay')).toMatchObject({ requestedAt: at });
    expect(parseDescriptor({ requestedAt: 'yesterday' }, 'pay')).not.toHaveProperty('requestedAt');
  });

  it.each([undefined, null, 'x', [], {}])(
    'asks for the tool by name if its descriptor is %o',
    (descriptor) => {
      expect(parseDescriptor(descriptor, 'send_email')).toEqual({
        title: 'Send email',
        description: 'Run “Send email”',
        mayAnswer: true,
        mayEdit: false,
        mayRemember: false,
      });
    },
  );
});

/** A server that answers every request with this. */
const answering = (body: object) => async () => Response.json(body);

describe('a page of questions from another version of the server', () => {
  const read = (page: object) => readOpenQuestions({ api: '/approvals', fetch: answering(page) });

  it.each<[string, object]>([
    ['a question that it cannot read', { approvals: [question, { id: 'odd' }, null] }],
    ['a cursor of another kind', { approvals: [question], nextCursor: 7 }],
  ])('is read without %s', async (_what, page) => {
    expect(await read(page)).toStrictEqual({ questions: [question] });
  });

  it.each<[string, object]>([
    ['without a list', {}],
    ['with something else in its place', { approvals: 'none' }],
  ])('counts as unreadable %s', async (_what, page) => {
    expect(await read(page)).toBeUndefined();
  });
});

describe('a stored chat from another version of the server', () => {
  const chat = {
    id: 'chat',
    title: 'Pay',
    messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Pay', extra: [1] }], metadata: {} }],
    run: { status: 'idle' },
    questions: [question],
  };
  const load = (body: object) => loadChat('chat', { fetch: answering(body) });

  it.each<[string, object, object]>([
    ['as it is sent', {}, {}],
    ['without an unknown field', { colour: 'red', run: { status: 'idle', colour: 'red' } }, {}],
    ['without a draft of another kind', { draft: 1 }, {}],
    ['without a title of another kind', { title: null }, { title: '' }],
    ['without a question that it cannot read', { questions: [question, { id: 'odd' }] }, {}],
    ['without questions of another kind', { questions: 'none' }, { questions: [] }],
  ])('is read %s', async (_what, sent, read) => {
    const loaded = await load({ ...chat, ...sent });
    expect(loaded).toStrictEqual({ type: 'loaded', chat: { ...chat, ...read } });
  });

  it.each<[string, object]>([
    ['an unknown status', { run: { status: 'asleep' } }],
    ['a message without parts', { messages: [{ id: 'm1', role: 'user' }] }],
  ])('counts as missing with %s', async (_what, sent) => {
    expect(await load({ ...chat, ...sent })).toEqual({ type: 'missing' });
  });
});

describe('a report of a call from another version of the server', () => {
  const report = { toolCallId: 'call_1', toolName: 'pay', phase: 'completed' };

  it('keeps the fields that fit, and has no field without a value', () => {
    const sent = {
      ...report,
      kind: 'function',
      at,
      durationMs: 'long',
      summary: 'Paid',
      withdrawn: 'forgotten',
    };
    expect(parseToolLifecycle(sent)).toStrictEqual({ ...report, summary: 'Paid' });
    expect(parseMeasures(sent)).toStrictEqual({ summary: 'Paid' });
    expect(parseStatus(sent)).toStrictEqual({});
  });

  it('is skipped in an unknown phase', () => {
    expect(parseToolLifecycle({ ...report, phase: 'dreaming' })).toBeUndefined();
  });
});

describe('a resolution from another version of the server', () => {
  const resolution = { source: 'person', outcome: 'failed', at };

  it('keeps the fields that fit', () => {
    expect(parseResolution({ ...resolution, by, note: 7, cost: 3 })).toStrictEqual({ ...resolution, by });
    expect(parseResolution({ ...resolution, source: 'oracle' })).toBeUndefined();
  });
});

describe('a timeline from another version of the server', () => {
  const span = {
    id: 'tool-1',
    runId: 'run',
    turn: 1,
    kind: 'tool',
    label: 'pay',
    startedAt: at,
    state: 'failed',
  };

  it('skips spans of unknown kinds, and counts missing figures as 0', () => {
    const timeline = parseTimeline({
      chatId: 'chat',
      status: 'idle',
      turns: [{ turn: 1, startedAt: at, text: 'Pay' }, { turn: 2 }],
      spans: [span, { ...span, kind: 'network' }, { ...span, resolved: { outcome: 'odd' } }],
      summary: { calls: 2, failures: 'many' },
    });
    expect(timeline?.turns).toEqual([{ turn: 1, startedAt: at, text: 'Pay' }]);
    expect(timeline?.spans).toEqual([span, span]);
    expect(timeline?.summary).toMatchObject({ calls: 2, failures: 0, questions: 0 });
  });
});
