// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { defaultInvocationWords, ToolInvocation } from 'countersign/plugins/tool-events/react';
import {
  ApprovalCard,
  type ApprovalCardProps,
  ApprovalInbox,
  type ApprovalInboxState,
  type CallState,
  type CallView,
  type InboxFilter,
  parseTimeline,
  type Question,
  SettledInbox,
  type SettledQuestionsState,
  ToolCard,
  ToolTimeline,
  type WordsGiven,
  WordsProvider,
} from 'countersign/react';
import { act, type ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { explainFailure } from '../../lib/client/chat/requests/explain-failure.ts';
import type { FieldProblem } from '../../lib/plugins/forms/client/read-draft.ts';
import { cardPluginsIn, withPlugins } from '../support/card-plugins.ts';
import { germanForms } from '../support/forms-in-german.ts';
import { germanWords } from '../support/german-words.ts';
import { pseudoPluginWords, pseudoWords, translated } from '../support/pseudo-words.tsx';

const plugins = cardPluginsIn(pseudoPluginWords, { forms: { loadInputSchema: async () => schema } });
const invocationWords = translated(defaultInvocationWords);

// What is no text of the components is in Hebrew: names of tools, people, fields, and their values.
const at = '2030-01-01T12:00:00.000Z';
const dana = { id: 'דנה', name: 'דנה' };
const question: Question = {
  id: '1',
  chatId: '2',
  toolCallId: '3',
  toolName: 'תשלום',
  title: 'תשלום',
  input: { נמען: 'נועה', סכום: 30, פרטים: [] },
  description: 'לשלם לנועה',
  state: 'open',
  mayAnswer: true,
  mayEdit: true,
  mayRemember: true,
  risk: 'high',
  askedBy: dana,
  requestedAt: at,
};
const answer = { approved: true, by: dana, at, via: 'http', reason: 'כן' };

const schema = {
  type: 'object',
  properties: {
    נמען: { type: 'string', minLength: 1 },
    סכום: { type: 'number', default: 5 },
    מתי: { type: 'string', format: 'date-time' },
    סוג: { enum: ['א', 'ב'], default: 'א' },
    שונה: { type: ['string', 'number', 'boolean', 'null'] },
    פרטים: { type: 'array', items: { type: 'string' } },
    אחר: { type: 'object', properties: { עיר: { type: 'string' } } },
  },
  required: ['נמען'],
};

/** Latin words in what a person sees or hears: texts, and the attributes that are read. */
function latinWords(): string[] {
  const told = ['aria-label', 'title', 'placeholder', 'alt', 'aria-roledescription'];
  const parts = [...document.querySelectorAll('body, body *')].flatMap((element) => [
    ...told.map((name) => element.getAttribute(name) ?? ''),
    ...[...element.childNodes].map((node) => (node instanceof Text ? node.data : '')),
  ]);
  return parts.filter((part) => /[A-Za-z]{2,}/.test(part));
}

async function show(content: ReactNode, words: WordsGiven = pseudoWords) {
  render(withPlugins(<WordsProvider words={words}>{content}</WordsProvider>, plugins));
  await passTime();
}

function card(given: Partial<Question> = {}, props: Partial<ApprovalCardProps> = {}) {
  return <ApprovalCard question={{ ...question, ...given }} onAnswer={() => undefined} {...props} />;
}

const inbox: ApprovalInboxState = {
  status: 'ready',
  connection: 'live',
  questions: [],
  others: [],
  settled: [],
  count: 0,
  answer: async () => ({ type: 'unreachable' }),
  answerAll: async () => ({ approved: [], denied: [], settled: [], failed: [] }),
  denyAll: async () => ({ approved: [], denied: ['1'], settled: ['2'], failed: [] }),
  more: () => undefined,
  refresh: () => undefined,
  approvals: { api: '' },
};

const call = { toolCallId: '1', toolName: 'א', title: 'א', input: {}, description: 'א', digest: '1' };
const voted = {
  plugins: { votes: { needed: 3 } },
  droppedAnswers: 1,
  answers: [true, false].map((approved) => ({ approved, by: answer.by, at, via: '' })),
};
const upcoming = [
  call,
  { ...call, toolCallId: '2', risk: 'high', approved: { by: answer.by, at } },
  ...['step-up', 'effect', 'paused', 'provider', 'imported', 'approvals'].map((onlyWhenDue, index) => ({
    ...call,
    toolCallId: String(3 + index),
    onlyWhenDue,
  })),
];

async function passTime() {
  await act(() => vi.advanceTimersByTimeAsync(1000));
}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse(at) });
  Element.prototype.scrollIntoView = () => undefined;
});

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  vi.useRealTimers();
});

describe('with words of another language, no English text is left', () => {
  it('as a text without a translation would be', async () => {
    await show(card(), {});
    expect(latinWords()).toContain('Approve');
  });

  it.each<[string, Partial<Question>, Partial<ApprovalCardProps>]>([
    ['an open question', { position: { index: 1, of: 2 } }, {}],
    ['one with a deadline', { deadline: '2030-01-01T12:05:00.000Z' }, {}],
    [
      'one that was escalated',
      { plugins: { escalation: { steps: [], step: 1, at, label: 'א', end: { at, then: 'deny' } } } },
      {},
    ],
    ['one that is repeated', { repeatOf: { outcome: 'completed', at } }, {}],
    [
      'one after a failure',
      { earlier: [{ toolCallId: '7', toolName: 'א', title: 'א', outcome: 'failed' }] },
      {},
    ],
    ['one that is paused', { paused: { reason: 'הפסקה' } }, {}],
    ['one that is outdated', { outdated: true }, {}],
    ['one of somebody else', { mayAnswer: false, mayEdit: false }, {}],
    ['one without arguments', { input: {} }, {}],
    ['one whose answer was refused', {}, { failure: 'לא' }],
    ['one that was approved', { state: 'approved', answer: { ...answer, input: { סכום: 5 } } }, {}],
    ['one that was denied', { state: 'denied', answer: { ...answer, approved: false, via: 'sse' } }, {}],
    ['one that was cancelled', { state: 'superseded' }, {}],
    ['one that has expired', { state: 'expired' }, {}],
    ['one that was withdrawn', { state: 'withdrawn' }, {}],
    ['one that was asked again', { state: 'asked-again' }, {}],
  ])('in the card of %s', async (_, given, props) => {
    await show(card(given, props));
    expect(document.body.textContent).not.toBe('');
    expect(latinWords()).toEqual([]);
  });

  it('in the form, and in what is remembered', async () => {
    await show(card());
    fireEvent.click(screen.getByRole('button', { name: pseudoWords.card.edit }));
    await vi.dynamicImportSettled();
    await passTime();
    for (const button of screen.getAllByRole('button', {
      name: new RegExp(`^${pseudoPluginWords.forms.add}`),
    })) {
      fireEvent.click(button);
    }
    fireEvent.click(screen.getByRole('radio', { name: pseudoPluginWords.remembered.always }));
    fireEvent.change(screen.getByLabelText('נמען'), { target: { value: '' } });
    fireEvent.click(screen.getByRole('button', { name: new RegExp(`^${pseudoWords.card.approve}`) }));
    await passTime();
    expect(screen.getByRole('group', { name: pseudoPluginWords.forms.problemSummary })).toBeTruthy();
    // The time zone is named as the browser names it.
    const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(latinWords().filter((text) => !text.includes(zone))).toEqual([]);
  });

  it.each<CallState>([
    'preparing',
    'asking',
    'running',
    'retrying',
    'withheld',
    'done',
    'failed',
    'unknown',
    'denied',
    'withdrawn',
  ])('in a tool card that is %s', async (state) => {
    const call: CallView = {
      toolCallId: '3',
      toolName: 'תשלום',
      title: 'תשלום',
      state,
      input: { נמען: 'נועה' },
      output: ['א', 'ב'],
      ...(state === 'failed' && { problem: 'תקלה' }),
      ...(state === 'denied' && { approval: { id: '1', approved: false } }),
      resultCount: 2,
      durationMs: 70_000,
      imported: true,
    };
    await show(<ToolCard call={call} onResolve={() => undefined} />);
    expect(latinWords()).toEqual([]);
  });

  it.each<[string, Partial<ApprovalInboxState>]>([
    ['is loading', { status: 'loading' }],
    ['has failed', { status: 'failed' }],
    ['is empty', {}],
    ['reconnects', { connection: 'lost', questions: [question] }],
    [
      'is full',
      {
        questions: [question, { ...question, id: '4', risk: 'low', toolName: 'אחר', title: 'אחר' }],
        others: [
          { ...question, id: '5', mayAnswer: false, hasAnswered: true, ...voted, editedBy: answer.by },
        ],
        settled: [{ ...question, id: '6', state: 'approved', answer }],
        count: 2,
      },
    ],
    [
      'lists what follows a question',
      {
        questions: [{ ...question, position: { index: 1, of: 4 } }],
        approvals: { api: '', fetch: async () => Response.json({ upcoming }) },
        count: 1,
      },
    ],
  ])('in an inbox that %s', async (_, given) => {
    await show(<ApprovalInbox inbox={{ ...inbox, ...given }} chatHref={() => '/chats/2'} />);
    for (const box of screen.queryAllByRole('checkbox')) fireEvent.click(box);
    await passTime();
    expect(document.body.textContent).not.toBe('');
    expect(latinWords()).toEqual([]);
  });

  it.each<[string, Partial<SettledQuestionsState>, InboxFilter]>([
    ['are loading', { status: 'loading' }, {}],
    ['have failed', { status: 'failed' }, {}],
    ['are empty', {}, {}],
    ['do not match', {}, { text: 'א' }],
    [
      'are searched',
      { questions: [{ ...question, state: 'approved', answer }], more: () => {} },
      { text: 'א' },
    ],
  ])('in settled questions that %s', async (_, given, filter) => {
    const settled: SettledQuestionsState = {
      ...{ status: 'ready', questions: [], known: [], searched: 200, more: undefined, refresh: () => {} },
      ...given,
    };
    await show(
      <SettledInbox
        settled={settled}
        filter={filter}
        onFilterChange={() => {}}
        questionHref={() => '/inbox/1'}
      />,
    );
    expect(document.body.textContent).not.toBe('');
    expect(latinWords()).toEqual([]);
  });

  it('in the timeline, with every row open', async () => {
    const span = (kind: string, state: string, more: object = {}) => ({
      ...{ id: `${kind}-${state}`, runId: '9', turn: 1, kind, label: 'שלב', state, startedAt: at },
      ...{ endedAt: '2030-01-01T12:01:05.000Z', durationMs: 65_000, ...more },
    });
    const timeline = parseTimeline({
      chatId: '2',
      status: 'waiting',
      turns: [{ turn: 1, startedAt: at, by: dana }],
      spans: [
        span('model', 'completed', { usage: { inputTokens: 12, outputTokens: 3 } }),
        span('waiting', 'approved', { answer, input: { נמען: 'א' } }),
        span('waiting', 'open', { endedAt: undefined, durationMs: undefined }),
        span('retry', 'completed', { error: 'תקלה' }),
        span('tool', 'failed', { toolName: 'תשלום', input: {}, error: 'תקלה' }),
      ],
      summary: {
        ...{ questions: 1, approved: 1, denied: 1, withdrawn: 1, medianWaitMs: 4_000, waitingMs: 4_000 },
        ...{ modelMs: 1_000, toolMs: 300, calls: 2, retries: 1, failures: 1 },
      },
    });
    if (!timeline) throw new Error('This is no timeline.');
    await show(<ToolTimeline timeline={timeline} />);
    for (const row of document.querySelectorAll('[aria-expanded="false"]')) fireEvent.click(row);
    expect(latinWords()).toEqual([]);
  });

  it.each(['executing', 'completed', 'failed'])('in a tool invocation that is %s', async (status) => {
    const invocation = {
      ...{ toolCallId: '3', toolName: 'חיפוש', input: {}, status, isExpanded: true, resultCount: 2 },
      ...(status === 'failed' && { error: 'תקלה', retryable: true }),
    };
    await show(
      <ToolInvocation invocation={invocation as never} words={invocationWords} onToggle={() => undefined} />,
    );
    expect(latinWords()).toEqual([]);
  });

  it.each(['Failed to fetch', '', '{"error":{"code":"run-active","message":"לא"}}'])(
    'in a failure of the chat: %s',
    (message) => {
      const { title, detail } = explainFailure(new TypeError(message), pseudoWords.chat);
      expect(`${title} ${detail}`).not.toMatch(/[A-Za-z]/);
    },
  );
});

describe('with German words', () => {
  it('plurals, dates and numbers are those of the language', async () => {
    const { card: words, inbox: list, timeline } = germanWords;
    expect([1, 3].map(words.problems)).toEqual(['Bitte 1 Feld prüfen.', 'Bitte 3 Felder prüfen.']);
    expect([list.selected(1), list.denyAll(2)]).toEqual(['1 ausgewählt', '2 Anfragen ablehnen']);
    expect(timeline.duration(1_500)).toBe('1,5 s');
    expect(timeline.moment(new Date(2030, 0, 31, 9, 5, 7))).toBe('31.01.2030, 09:05:07');
    expect(words.moment(new Date(2029, 11, 31, 9, 5))).toBe('31. Dez., 09:05');
  });

  it('problems of a form have the plurals of the language', () => {
    const problem: FieldProblem = { code: 'too-few', limit: 1 };
    expect(germanForms.problem(problem)).toBe('Mindestens 1 Eintrag.');
  });

  it('the card asks in German', async () => {
    await show(card(), germanWords);
    expect(screen.getByRole('group', { name: /^Freigabe nötig/ })).toBeTruthy();
    const asker = screen.getByText('דנה').closest('[data-countersign="card-asker"]');
    expect(asker?.textContent).toMatch(/^Der Assistent möchte תשלום.* für דנה verwenden$/);
    expect(screen.getByRole('button', { name: 'Freigeben' })).toBeTruthy();
  });
});
