import '../support/dom.ts';
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import ErrorPage from '../../app/global-error.tsx';
import type { Question } from '../../lib/client/question.ts';
import { plainJson } from '../../lib/client/text/plain-json.ts';
import { ToolInvocation } from '../../lib/plugins/tool-events/react/tool-invocation.tsx';
import { type ApprovalId, parseApprovalId } from '../../lib/protocol/index.ts';
import { ApprovalCard } from '../../lib/react/card/approval-card.tsx';
import { CardFrame } from '../../lib/react/card/card-frame.tsx';
import { ToolCard } from '../../lib/react/card/tool-card.tsx';
import { ApprovalInbox } from '../../lib/react/inbox/approval-inbox.tsx';
import { useApprovalInbox } from '../../lib/react/inbox/use-approval-inbox.ts';
import { QuestionSheet } from '../../lib/react/sheet/question-sheet.tsx';
import type { WordsGiven } from '../../lib/react/words/words.tsx';
import { WordsProvider } from '../../lib/react/words/words.tsx';
import { questionOf } from '../support/card-fixture.ts';
import { questionIn } from '../support/flow-fixture.ts';
import { serveFixture } from '../support/serve-fixture.ts';

configure({ asyncUtilTimeout: 10_000 });
beforeEach(() => vi.spyOn(console, 'error').mockImplementation(() => {}));
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

/** Stands for whatever fails while a request is laid out. */
function fail(): never {
  throw new Error('This cannot be laid out.');
}

const unshown = "This couldn't be displayed. Its exact content is in the JSON.";
const show = (words: WordsGiven, children: ReactNode) =>
  render(<WordsProvider words={words}>{children}</WordsProvider>);

/** Presses Deny once it takes answers. */
async function deny(button: HTMLElement | undefined) {
  await waitFor(() => expect(button?.getAttribute('aria-disabled')).toBe('false'));
  if (button) fireEvent.click(button);
}

/** A real server with a question about Alice and one about Bob. */
async function serveTwo() {
  const names = ['Alice', 'Bob'];
  const fixture = await serveFixture([
    ...names.map((to) => [{ call: 'pay', input: { to, amount: 30 } }]),
    ...names.map(() => [{ text: 'Done.' }]),
  ]);
  const ids: ApprovalId[] = [];
  for (const name of names)
    ids.push(parseApprovalId(questionIn(await fixture.chat(`chat-${name}`).say('Pay.'))));
  const [alice = parseApprovalId('none'), bob = alice] = ids;
  return { ...fixture, alice, bob, api: `${fixture.url}/api/approvals` };
}

function Inbox({ api, title }: { api: string; title?: (question: Question) => string }) {
  const inbox = useApprovalInbox({ api, leaveAfterMs: 30 });
  return <ApprovalInbox inbox={inbox} {...(title && { chatTitle: title })} />;
}

describe('a request that cannot be laid out', () => {
  it('is a card with its JSON, and can be denied', async () => {
    const answers: unknown[] = [];
    show(
      { card: { asker: fail } },
      <ApprovalCard question={questionOf()} onAnswer={(answer) => answers.push(answer)} />,
    );
    screen.getByText(unshown);
    expect(screen.getByText(/"amount": 30/).textContent).toContain('"toolName": "pay"');
    const button = screen.getByRole('button', { name: 'Deny' });
    await deny(button);
    fireEvent.click(button);
    expect(answers).toEqual([{ approved: false }]);
  });

  it('shows why a denial was refused', async () => {
    show(
      { card: { asker: fail } },
      <ApprovalCard question={questionOf()} onAnswer={() => Promise.reject(new Error('Sign in again.'))} />,
    );
    await deny(screen.getByRole('button', { name: 'Deny' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Sign in again.');
  });

  it.each([
    ['who may not answer', { mayAnswer: false }],
    ['who has voted', { mayAnswer: false, hasAnswered: true }],
    ['once it is settled', { state: 'denied' }],
  ] as const)('cannot be denied by a person %s', (_who, given) => {
    show({ card: { asker: fail } }, <ApprovalCard question={questionOf(given)} onAnswer={fail} />);
    screen.getByText(unshown);
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('is tried again when it is settled, and is drawn by the author’s function within the boundary', () => {
    const card = (state: Question['state']) => (
      <CardFrame question={questionOf({ state })} onAnswer={fail} attention="none">
        {(question) => (question.state === 'open' ? fail() : 'Drawn')}
      </CardFrame>
    );
    const { rerender } = render(card('open'));
    screen.getByText(unshown);
    rerender(card('expired'));
    screen.getByText('Drawn');
  });

  it('is one row of an inbox in which the others stay, and its denial reaches the server', async () => {
    const { api, alice, store } = await serveTwo();
    render(<Inbox api={api} title={({ chatId }) => (chatId === 'chat-Alice' ? fail() : 'Chat')} />);
    await screen.findByText(unshown);
    expect(screen.getAllByRole('checkbox')).toHaveLength(2);
    await deny(screen.getByRole('button', { name: 'Deny' }));
    await waitFor(async () => expect((await store.questions.read(alice))?.state).toBe('denied'));
  });

  it('hides no other request if the whole inbox cannot be shown: each has its JSON and Deny', async () => {
    const { api, bob, store } = await serveTwo();
    show({ inbox: { count: fail } }, <Inbox api={api} />);
    await waitFor(() => expect(screen.getAllByText(unshown)).toHaveLength(2));
    const [, ofBob] = screen.getAllByRole('button', { name: 'Deny' });
    await deny(ofBob);
    await waitFor(async () => expect((await store.questions.read(bob))?.state).toBe('denied'));
  });

  it('can be denied on the page that the app shows after an error', async () => {
    const { url, alice, store } = await serveTwo();
    const { fetch } = globalThis;
    vi.spyOn(globalThis, 'fetch').mockImplementation((path, init) => fetch(`${url}${String(path)}`, init));
    render(<ErrorPage />);
    await waitFor(() => expect(screen.getAllByText(unshown)).toHaveLength(2));
    await deny(screen.getAllByRole('button', { name: 'Deny' })[0]);
    await waitFor(async () => expect((await store.questions.read(alice))?.state).toBe('denied'));
  });

  it('is a sheet with its JSON, and can be denied', async () => {
    const onAnswer = vi.fn(async () => ({ type: 'unreachable' }) as const);
    const sheet = { type: 'loaded', question: questionOf(), record: [] } as const;
    show({ sheet: { via: fail, moment: fail } }, <QuestionSheet sheet={sheet} onAnswer={onAnswer} />);
    await deny(screen.getByRole('button', { name: 'Deny' }));
    await screen.findByRole('alert');
    expect(onAnswer).toHaveBeenCalledExactlyOnceWith({ approved: false });
  });
});

describe('a call that cannot be laid out', () => {
  it('is a separate card with its JSON, in a chat and in tool events', () => {
    const call = {
      toolCallId: 'c1',
      toolName: 'pay',
      title: 'Pay',
      state: 'done',
      input: { amount: 30 },
    } as const;
    const invocation = {
      toolCallId: 'c2',
      toolName: 'pay',
      status: 'executing',
      input: {},
      attempts: 1,
      expanded: false,
    } as const;
    render(
      <>
        <ToolCard call={call} renderInput={fail} />
        <ToolInvocation invocation={invocation} words={{ name: fail }} onToggle={fail} />
        <p>The rest</p>
      </>,
    );
    expect(screen.getAllByText(unshown)).toHaveLength(2);
    expect(screen.getByText(/"toolCallId": "c1"/).textContent).toContain('"amount": 30');
    screen.getByText('The rest');
  });
});

describe('plain JSON', () => {
  it('is printable ASCII, and the same value', () => {
    const value = { to: 'אב\u202e\u0000😀', of: [1, null] };
    const text = plainJson(value);
    expect(text).toMatch(/^[\n -~]+$/);
    expect(JSON.parse(text)).toEqual(value);
  });
});
