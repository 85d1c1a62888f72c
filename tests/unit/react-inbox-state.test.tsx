import { describe, expect, it } from 'vitest';
import { parseAnswerResult } from '../../lib/client/inbox/answer-result.ts';
import { differencesBetween } from '../../lib/client/inbox/differences.ts';
import { filterQuestions, type InboxFilter } from '../../lib/client/inbox/filter-questions.ts';
import { formatInboxSearch, parseInboxSearch } from '../../lib/client/inbox/inbox-search.ts';
import { changeInbox, emptyInbox, type InboxChange } from '../../lib/client/inbox/inbox-state.ts';
import { keyArgument } from '../../lib/client/inbox/key-argument.ts';
import type { Question } from '../../lib/client/question.ts';
import { timeLeft } from '../../lib/client/text/time-left.ts';
import { defaultInboxWords } from '../../lib/react/words/inbox-words.ts';

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

  it.each([
    ['takes a vote from the feed', 1, 2, 2],
    ['keeps a vote that the feed does not know yet', 2, 1, 2],
  ])('%s', (_what, read, inFeed, shown) => {
    const vote = { approved: true, by, at, via: 'http' };
    const voted = (count: number) =>
      question(1, { plugins: { votes: { needed: 3 } }, answers: Array(count).fill(vote) });
    const after = inboxAfter(
      { type: 'read', questions: [voted(read)] },
      { type: 'opened', question: voted(inFeed) },
    );
    expect(after.shown[0]?.answers).toHaveLength(shown);
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
    [{ sort: 'risk' }, ['q1', 'q2', 'q3']],
  ])('%j matches %j', (filter, ids) => {
    expect(filterQuestions(questions, filter).map(({ id }) => id)).toEqual(ids);
  });

  const now = Date.UTC(2030, 0, 3);
  const aged = [
    question(1, { requestedAt: new Date(now - 25 * 3_600_000).toISOString(), risk: 'low' }),
    question(2, { requestedAt: new Date(now - 2 * 3_600_000).toISOString() }),
    question(3, { requestedAt: new Date(now - 60_000).toISOString(), risk: 'high' }),
    question(4, { requestedAt: new Date(now).toISOString(), deadline: new Date(now + 1).toISOString() }),
  ];
  it.each<[InboxFilter, string[]]>([
    [{ age: 'hour' }, ['q3', 'q4']],
    [{ age: 'day' }, ['q2', 'q3', 'q4']],
    [{ age: 'older' }, ['q1']],
    [{ sort: 'risk' }, ['q3', 'q1', 'q2', 'q4']],
    [{ sort: 'deadline' }, ['q4', 'q1', 'q2', 'q3']],
    [{ sort: 'deadline', age: 'hour' }, ['q4', 'q3']],
  ])('%j of questions of different ages gives %j', (filter, ids) => {
    expect(filterQuestions(aged, filter, now).map(({ id }) => id)).toEqual(ids);
  });
});

describe('the filter of an inbox in an address', () => {
  it.each<[string, InboxFilter]>([
    ['', {}],
    ['?tool=pay&risk=high&asker=ben', { tool: 'pay', risk: 'high', asker: 'ben' }],
    ['?age=day&text=a%26b+c&sort=deadline', { age: 'day', text: 'a&b c', sort: 'deadline' }],
  ])('%j is %j, and back', (search, filter) => {
    expect(parseInboxSearch(search)).toEqual(filter);
    expect(formatInboxSearch(filter)).toBe(search);
  });

  it('ignores what it does not know', () => {
    expect(parseInboxSearch('?risk=huge&age=&sort=name&page=2&tool=')).toEqual({});
    expect(formatInboxSearch({ tool: undefined, text: '' })).toBe('');
  });
});

describe('the times that a row shows', () => {
  it.each([
    [20_000, 'Asked just now', 'Expires in less than a minute'],
    [61_000, 'Waiting 1 min', 'Expires in 1 min'],
    [3_900_000, 'Waiting 1 h 5 min', 'Expires in 1 h 5 min'],
    [260_000_000, 'Waiting 3 days', 'Expires in 3 days'],
  ])('%d milliseconds are %j, or %j', (duration, waiting, expires) => {
    expect(defaultInboxWords.waiting(timeLeft(duration))).toBe(waiting);
    expect(defaultInboxWords.expires(timeLeft(duration))).toBe(expires);
  });
});

describe('the argument that a row shows', () => {
  it.each<[string, unknown, ReturnType<typeof keyArgument>]>([
    ['Pay Bob 30.', { to: 'Bob', amount: 30 }, undefined],
    ['Pay Bob 30.', { to: 'Bob', amount: 30, memo: 'Rent' }, { name: 'memo', value: 'Rent' }],
    ['Update.', { filter: { id: 1 }, lines: 'a\nb', dryRun: false }, { name: 'dryRun', value: 'false' }],
    ['Run it.', ['x'], undefined],
  ])('of %j with %j is %j', (description, input, argument) => {
    expect(keyArgument(question(1, { description, input }))).toEqual(argument);
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

describe('rows that look equal', () => {
  const alike = (number: number, input: unknown) =>
    question(number, { toolName: 'pay', description: 'Pay Alice', input });
  const differences = (...inputs: unknown[]) => [
    ...differencesBetween(
      inputs.map((input, index) => alike(index + 1, input)),
      defaultInboxWords,
    ).values(),
  ];

  it.each<[string, unknown[], string[]]>([
    [
      'a short value',
      [
        { to: 'Bob', sum: 1 },
        { to: 'Bob', sum: 2 },
      ],
      ['Sum: 1', 'Sum: 2'],
    ],
    ['a value that one leaves out', [{ to: 'Bob' }, { to: 'Bob', sum: 2 }], ['Differs in: Sum', 'Sum: 2']],
    ['a list', [{ items: [1] }, { items: [2] }], ['Differs in: Items', 'Differs in: Items']],
    [
      'a mark',
      [
        { to: 'Bob', no: 'x' },
        { to: 'Bob', no: 'x\u200b' },
      ],
      ['No: x', 'No: x⟨U+200B zero width space⟩'],
    ],
    ['nothing', [{ to: 'Bob' }, { to: 'Bob' }], []],
    ['what the rows show already', [{ to: 'Bob' }, { to: 'Eve' }], []],
    ['no arguments', [7, undefined], []],
  ])('say in what they differ: %s', (_what, inputs, words) => {
    expect(differences(...inputs)).toEqual(words);
  });

  /** Words of one script each, so that no mark shows in the rows. */
  it.each<[string, [string, string], string[]]>([
    [
      'Cyrillic',
      ['scope', 'ѕсоре'],
      [
        'To: scope⟨Latin: U+0073, U+0063, U+006F, U+0070, …⟩',
        'To: ѕсоре⟨Cyrillic: U+0455, U+0441, U+043E, U+0440, …⟩',
      ],
    ],
    [
      'Greek',
      ['TOM', 'ΤΟΜ'],
      ['To: TOM⟨Latin: U+0054, U+004F, U+004D⟩', 'To: ΤΟΜ⟨Greek: U+03A4, U+039F, U+039C⟩'],
    ],
    ['one script', ['Alice', 'AIice'], ['To: Alice⟨Latin: U+006C⟩', 'To: AIice⟨Latin: U+0049⟩']],
    ['digits', ['B10', 'B1O'], ['To: B10⟨U+0030⟩', 'To: B1O⟨Latin: U+004F⟩']],
    ['accents', ['Ren\u00e9', 'Rene\u0301'], ['To: René⟨Latin: U+00E9⟩', 'To: Rene\u0301⟨U+0301⟩']],
    ['no look-alikes', ['Bob', 'Вор'], []],
  ])('name the letters that look alike: %s', (_what, names, words) => {
    const questions = names.map((to, index) =>
      question(index + 1, { toolName: 'pay', description: `Pay ${to} 30.`, input: { to } }),
    );
    expect([...differencesBetween(questions, defaultInboxWords).values()]).toEqual(words);
  });

  it('name the look-alike before another difference that the rows do not show', () => {
    const questions = ['TOM', 'ΤΟΜ'].map((to, index) =>
      question(index + 1, { toolName: 'pay', description: `Pay ${to}.`, input: { at: { no: index }, to } }),
    );
    expect([...differencesBetween(questions, defaultInboxWords).values()]).toEqual([
      'To: TOM⟨Latin: U+0054, U+004F, U+004D⟩',
      'To: ΤΟΜ⟨Greek: U+03A4, U+039F, U+039C⟩',
    ]);
  });
});
