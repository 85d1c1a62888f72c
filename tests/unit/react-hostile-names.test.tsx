import '../support/dom.ts';
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseTimeline } from '../../lib/client/timeline/parse-timeline.ts';
import { ApprovalCard } from '../../lib/react/card/approval-card.tsx';
import { ToolCard } from '../../lib/react/card/tool-card.tsx';
import { ApprovalInbox } from '../../lib/react/inbox/approval-inbox.tsx';
import { useApprovalInbox } from '../../lib/react/inbox/use-approval-inbox.ts';
import { QuestionSheet } from '../../lib/react/sheet/question-sheet.tsx';
import { ToolTimeline } from '../../lib/react/timeline/tool-timeline.tsx';
import { questionOf } from '../support/card-fixture.ts';
import { serveFixture } from '../support/serve-fixture.ts';

configure({ asyncUtilTimeout: 10_000 });
beforeEach(() => {
  Element.prototype.scrollIntoView = () => undefined;
});
afterEach(cleanup);

/** What neither a text nor a name of an element may contain. */
const harmful = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;
const hostile = 'Ada \u202e005\u202c\u2066x\u2069 \u200bPal\ufeff \u001b[2J\u0007\u009b \u2028End';

const person = { id: 'hostile', name: hostile };
const at = '2030-01-01T12:00:00.000Z';
const named = { toolName: hostile, title: hostile, description: hostile, askedBy: person };
const answer = { approved: true, at, by: person, onBehalfOf: person, reason: hostile, via: hostile } as const;
const open = questionOf({
  ...named,
  risk: 'high',
  riskReason: hostile,
  onBehalfOf: person,
  history: { subject: hostile, count: 2, denied: { at, by: person } },
  earlier: [{ toolCallId: 'c0', toolName: hostile, title: hostile, outcome: 'failed', error: hostile }],
  paused: { reason: hostile },
});
const settled = questionOf({ ...named, state: 'approved', mayAnswer: false, answer });
const call = { toolCallId: 'c1', ...named, input: {}, state: 'failed', problem: hostile, answer } as const;

const span = { runId: 'run', turn: 1, label: hostile, startedAt: at, toolName: hostile };
const automatic = { approved: true, reason: hostile };
const spans = [
  {
    ...span,
    id: 'one',
    kind: 'tool',
    state: 'failed',
    endedAt: at,
    durationMs: 0,
    error: hostile,
    automatic,
  },
  { ...span, id: 'two', kind: 'waiting', state: 'approved', endedAt: at, durationMs: 0, answer },
];
const counts = { questions: 1, approved: 1, denied: 0, withdrawn: 0, calls: 1, retries: 0, failures: 1 };
const summary = { ...counts, medianWaitMs: 0, waitingMs: 0, modelMs: 0, toolMs: 0 };
const turns = [{ turn: 1, startedAt: at, text: hostile, by: person }];
const timeline = parseTimeline({ chatId: 'chat', status: 'idle', turns, spans, summary });

function Timeline() {
  if (!timeline) throw new Error('This is no timeline.');
  return <ToolTimeline timeline={timeline} />;
}

it.each<[string, () => ReactElement]>([
  ['an open request', () => <ApprovalCard question={open} onAnswer={() => undefined} />],
  [
    'a request for others',
    () => (
      <ApprovalCard
        question={{ ...open, mayAnswer: false, whoMayAnswer: hostile }}
        onAnswer={() => undefined}
      />
    ),
  ],
  ['an answered request', () => <ApprovalCard question={settled} onAnswer={() => undefined} />],
  ['a call', () => <ToolCard call={call} />],
  [
    'a page of a request',
    () => (
      <QuestionSheet
        sheet={{ type: 'loaded', question: settled, record: [] }}
        onAnswer={async () => ({ type: 'unreachable' })}
      />
    ),
  ],
  ['a timeline', () => <Timeline />],
])('names and labels cannot disguise %s', (_, element) => {
  render(element());
  for (const button of screen.queryAllByRole('button', { expanded: false })) fireEvent.click(button);
  expectHarmless();
});

it('names and labels cannot disguise a row of the inbox, or its filters', async () => {
  const pay = (to: string) => [{ call: 'pay', input: { to, amount: 1 } }];
  const details = {
    title: hostile,
    describe: () => hostile,
    risk: { level: 'high', reason: hostile },
  } as const;
  const { chat, url } = await serveFixture([pay('Alice'), pay('Bob')], { toolDetails: { pay: details } });
  for (const name of ['chat-1', 'chat-2']) await chat(name).say('Pay.');
  function Inbox() {
    return (
      <ApprovalInbox inbox={useApprovalInbox({ api: `${url}/api/approvals` })} chatTitle={() => hostile} />
    );
  }
  render(<Inbox />);
  expect((await screen.findAllByRole('checkbox')).length).toBeGreaterThan(1);
  expectHarmless();
});

/** Ignores attributes that neither people nor screen readers get. */
function expectHarmless() {
  expect(document.body.textContent).toContain('⟨U+202E');
  const texts = document.evaluate(
    '//body//text()',
    document.body,
    null,
    XPathResult.ORDERED_NODE_SNAPSHOT_TYPE,
  );
  for (let index = 0; index < texts.snapshotLength; index += 1)
    expect(texts.snapshotItem(index)?.textContent).not.toMatch(harmful);
  for (const element of document.body.querySelectorAll('[aria-label], [title], [alt], [placeholder]'))
    for (const name of ['aria-label', 'title', 'alt', 'placeholder'])
      expect(element.getAttribute(name) ?? '').not.toMatch(harmful);
}
