import { describe, expect, it } from 'vitest';
import { parseAnswerResult } from '../../lib/client/inbox/answer-result.ts';
import { filterQuestions, type InboxFilter } from '../../lib/client/inbox/filter-questions.ts';
import { changeInbox, emptyInbox, type InboxChange } from '../../lib/client/inbox/inbox-state.ts';
import type { Question } from '../../lib/client/question.ts';

/** Asked in the order of their numbers. */
function question(number: number, more: Partial<Question> = {}): Question {
  return {
    id: `q${number}`,
    chatId: 'chat',
    toolCallId: `call${number}`,
    toolName: 'pay',
    title: 'Pay',
    input: { amount: number },
    description: `Pay ${number}.`,
    requestedAt: new Date(Date.UTC(2030, 0, 1, 0, 0, number)).toISOString(),
    state: 'open',
    mayAnswer: true,
    mayEdit: false,
    mayRemember: false,
    ...more,
  };
}

const by = { id: 'ada', name: 'Ada' };
const at = '2030-01-01T01:00:00.000Z';
const denied = (number: number) =>
  question(number, { state: 'denied', answer: { approved: false, by, at, via: 'http' } });

const read = (...questions: Question[]): InboxChange => ({ type: 'read', questions });
const opened = (number: number): InboxChange => ({ type: 'opened', question: question(number) });
const settled = (number: number): InboxChange => ({ type: 'settled', question: denied(number) });
const reading: InboxChange = { type: 'reading' };

function inboxAfter(...changes: InboxChange[]) {
  const state = changes.reduce(changeInbox, emptyInbox);
  return { ...state, told: state.shown.map(({ id, state: stands }) => `${id} ${stands}`) };
}

describe('an inbox', () => {
  it.each<[string, InboxChange[], string[]]>([
    [
      'shows the questions that were read, oldest first',
      [read(question(2), question(1))],
      ['q1 open', 'q2 open'],
    ],
    [
      'adds a question that opens, in its place',
      [read(question(1), question(3)), opened(2)],
      ['q1 open', 'q2 open', 'q3 open'],
    ],
    ['adds a question that opens twice only once', [opened(1), opened(1), read(question(1))], ['q1 open']],
    [
      'keeps a settled question in its place',
      [read(question(1), question(2)), settled(1)],
      ['q1 denied', 'q2 open'],
    ],
    [
      'removes a settled question',
      [read(question(1), question(2)), settled(1), { type: 'left', id: 'q1' }],
      ['q2 open'],
    ],
    ['removes no open question', [read(question(1)), { type: 'left', id: 'q1' }], ['q1 open']],
    [
      'keeps a question that opened while the list was read',
      [reading, opened(2), read(question(1))],
      ['q1 open', 'q2 open'],
    ],
    [
      'drops a question that is missing from a newer list',
      [read(question(1), question(2)), reading, read(question(2))],
      ['q2 open'],
    ],
    [
      'does not reopen a question that a slow list still contains',
      [reading, settled(1), read(question(1))],
      [],
    ],
    ['does not reopen a question whose opening arrives late in the feed', [settled(1), opened(1)], []],
    [
      'continues after the first page',
      [read(question(1)), { type: 'read-on', questions: [question(2)] }],
      ['q1 open', 'q2 open'],
    ],
  ])('%s', (_title, changes, told) => {
    expect(inboxAfter(...changes).told).toEqual(told);
  });

  it('keeps the first report of how a question was settled', () => {
    const approved = question(1, { state: 'approved' });
    const { told, shown } = inboxAfter(read(question(1)), settled(1), {
      type: 'settled',
      question: approved,
    });
    expect(told).toEqual(['q1 denied']);
    expect(shown[0]?.answer?.by).toEqual(by);
  });

  it('distinguishes loading, ready and failed, and keeps a list that could not be refreshed', () => {
    expect(inboxAfter(reading).status).toBe('loading');
    expect(inboxAfter(reading, { type: 'unreadable' }).status).toBe('failed');
    const kept = inboxAfter(read(question(1)), reading, { type: 'unreadable' });
    expect(kept).toMatchObject({ status: 'ready', told: ['q1 open'] });
    expect(inboxAfter({ type: 'unreadable' }, read()).status).toBe('ready');
  });

  it('knows whether there are more questions', () => {
    expect(inboxAfter({ type: 'read', questions: [], cursor: 'c' }).cursor).toBe('c');
    expect(
      inboxAfter({ type: 'read', questions: [], cursor: 'c' }, { type: 'read-on', questions: [] }).cursor,
    ).toBeUndefined();
  });
});

describe('filterQuestions', () => {
  const questions = [
    question(1, { risk: 'high', askedBy: by, description: 'Pay Alice 30.' }),
    question(2, { toolName: 'update', title: 'Update', risk: 'low', askedBy: { id: 'ben', name: 'Ben' } }),
    question(3, { input: { to: 'Zoë' } }),
  ];
  it.each<[InboxFilter, string[]]>([
    [{}, ['q1', 'q2', 'q3']],
    [{ text: '  ' }, ['q1', 'q2', 'q3']],
    [{ tool: 'update' }, ['q2']],
    [{ risk: 'high' }, ['q1']],
    [{ asker: 'ben' }, ['q2']],
    [{ text: 'ALICE pay' }, ['q1']],
    [{ text: 'zoë' }, ['q3']],
    [{ text: 'ben' }, ['q2']],
    [{ text: 'alice', risk: 'low' }, []],
  ])('%j matches %j', (filter, ids) => {
    expect(filterQuestions(questions, filter).map(({ id }) => id)).toEqual(ids);
  });
});

describe('parseAnswerResult', () => {
  const asked = question(1);
  const error = (code: string, more: object = {}) => ({
    error: { code, message: `It is ${code}.`, ...more },
  });

  it('returns the question as it is after an answer that counts', () => {
    const result = parseAnswerResult(asked, true, { approval: denied(1) });
    expect(result).toMatchObject({ type: 'answered', question: { state: 'denied', answer: { by } } });
  });

  it('returns the standing answer of a question that was answered first elsewhere', () => {
    const answer = { approved: true, reason: 'Fine.', by, at };
    const result = parseAnswerResult(asked, false, error('already-answered', { answer }));
    expect(result).toMatchObject({ type: 'settled', question: { id: 'q1', state: 'approved', answer } });
  });

  it.each(['superseded', 'expired'] as const)('returns a question that was %s as settled', (state) => {
    expect(parseAnswerResult(asked, false, error(state))).toMatchObject({
      type: 'settled',
      question: { state },
    });
  });

  it.each(['forbidden', 'invalid-request', 'not-found', 'internal', 'a-code-of-tomorrow'])(
    'returns a refusal with its text: %s',
    (code) => {
      expect(parseAnswerResult(asked, false, error(code))).toEqual({
        type: 'refused',
        code,
        message: `It is ${code}.`,
      });
    },
  );

  it.each([undefined, null, 'text', {}, { error: 'no' }])(
    'returns a refusal for an invalid body: %j',
    (body) => {
      expect(parseAnswerResult(asked, false, body)).toEqual({
        type: 'refused',
        code: 'internal',
        message: '',
      });
    },
  );
});
