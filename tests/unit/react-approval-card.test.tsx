// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { parseDescriptor, type Question, type Repeat } from '../../lib/client/question.ts';
import { CardActions, CardApprove, CardDeny } from '../../lib/react/card/answer/action-parts.tsx';
import { ApprovalCard, type ApprovalCardProps } from '../../lib/react/card/approval-card.tsx';
import { CardFrame } from '../../lib/react/card/card-frame.tsx';
import { CardDescription } from '../../lib/react/card/heading-parts.tsx';
import { defaultCardWords } from '../../lib/react/words/card-words.ts';
import { WordsProvider } from '../../lib/react/words/words.tsx';
import { button, onCardPage, passTime, questionOf, spoken } from '../support/card-fixture.ts';

type Payment = { readonly recipient: string; readonly amount: number };

const question = questionOf<Payment>({
  toolName: 'process_payment',
  title: 'Process payment',
  input: { recipient: 'Alice', amount: 30 },
  risk: 'high',
  askedBy: { id: 'ana', name: 'Ana' },
  position: { index: 1, of: 2 },
});

function show(given: Partial<Question<Payment>> = {}, props: Partial<ApprovalCardProps<Payment>> = {}) {
  const onAnswer = vi.fn();
  const page = (changed: Partial<Question<Payment>>) => (
    <>
      <textarea aria-label="Message" />
      <ApprovalCard question={{ ...question, ...given, ...changed }} onAnswer={onAnswer} {...props} />
    </>
  );
  const { rerender } = render(page({}));
  return { onAnswer, becomes: (changed: Partial<Question<Payment>>) => rerender(page(changed)) };
}

const card = () => screen.getByRole('group', { name: /Alice/ });

onCardPage(Date.parse('2030-01-01T12:00:00Z'));

describe('arguments as written and as run', () => {
  const runsAs = { recipient: 'Alice', amount: 3000 };

  it('are both shown, each with its label, if they differ', () => {
    show({ runsAs });
    expect(screen.getByRole('group', { name: 'As written' }).textContent).toMatch(/Amount\D*30\D/);
    expect(screen.getByRole('group', { name: 'As run' }).textContent).toMatch(/Amount\D*3\D?000\D/);
  });

  it('are shown once, without a label, if they are the same', () => {
    show();
    expect(screen.queryByText('As written')).toBeNull();
    expect(screen.queryByText('As run')).toBeNull();
  });

  it('of an outdated question can be denied and not approved, and the card says so', async () => {
    const { onAnswer } = show({ outdated: true, mayEdit: true, mayRemember: true });
    await passTime();
    expect(screen.getByText(/This tool has changed/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Approve/ })).toBeNull();
    expect(screen.queryByRole('button', { name: /Edit/ })).toBeNull();
    expect(screen.queryByText('Remember this approval')).toBeNull();
    fireEvent.keyDown(card(), { key: 'Enter', ctrlKey: true });
    expect(onAnswer).not.toHaveBeenCalled();
    fireEvent.click(button(/Deny/));
    expect(onAnswer).toHaveBeenCalledWith({ approved: false });
  });

  it('of a question that becomes outdated on the page can no longer be approved', async () => {
    const { onAnswer, becomes } = show();
    await passTime();
    becomes({ outdated: true });
    fireEvent.keyDown(card(), { key: 'Enter', ctrlKey: true });
    expect(onAnswer).not.toHaveBeenCalled();
    expect(screen.getByRole('status').textContent).toContain('has changed');
  });
});

describe('the approval card', () => {
  it('shows spaces at the ends of a text, between quotation marks', () => {
    show({ input: { recipient: '  Alice ', amount: 30 }, runsAs: { recipient: 'Alice', amount: 30 } });
    const texts = [...document.querySelectorAll('[data-countersign="value-text"]')];
    expect(texts.map(({ textContent }) => textContent)).toEqual(['“  Alice ”', 'Alice']);
  });

  it('says why no one can approve while the tool is paused, and accepts a denial', async () => {
    const { onAnswer } = show({ paused: { reason: 'The bank is down.' } });
    await passTime();
    expect(screen.getByRole('status').textContent).toContain('The bank is down.');
    const approve = button(/^Approve/);
    expect(approve.getAttribute('aria-disabled')).toBe('true');
    expect(approve.getAttribute('aria-describedby')).toBe(screen.getByRole('status').id);
    expect(approve.hasAttribute('data-paused')).toBe(true);
    fireEvent.click(approve);
    fireEvent.keyDown(card(), { key: 'Enter', ctrlKey: true });
    expect(onAnswer).not.toHaveBeenCalled();
    fireEvent.click(button(/^Deny/));
    expect(onAnswer).toHaveBeenCalledWith({ approved: false });
  });

  it('can be approved as soon as the pause has ended', async () => {
    const { onAnswer, becomes } = show({ paused: { reason: 'The bank is down.' } });
    await passTime();
    becomes({ paused: undefined });
    expect(screen.queryByText(/The bank is down/)).toBeNull();
    fireEvent.click(button(/^Approve/));
    expect(onAnswer).toHaveBeenCalledWith({ approved: true });
  });

  it('says what will happen, to what, with which tool, for whom, at which risk and position', () => {
    show();
    expect(card().getAttribute('aria-labelledby')).not.toBeNull();
    expect(screen.getByRole('group', { name: /^Approval needed: *Pay Alice 30$/ })).toBe(card());
    for (const words of [
      'process_payment',
      'Process payment',
      'for Ana',
      'High risk',
      '1 of 2',
      'Recipient',
      'Amount',
    ]) {
      expect(card().textContent).toContain(words);
    }
    expect(card().dataset).toMatchObject({ state: 'open', risk: 'high', tool: 'process_payment' });
  });

  it.each([
    [{ index: 1, of: 1 }, undefined],
    [{ index: 2, of: 3 }, '2 of 3'],
    [{ index: 2 }, 'Request 2'],
    [{ index: 1 }, undefined],
    [undefined, undefined],
  ])('shows the position %j as %s', (position, words) => {
    show({ position });
    expect(document.querySelector('[data-countersign="card-position"]')?.textContent).toBe(words);
  });

  it('shows the exact JSON on demand, and invisible characters', () => {
    show({ input: { recipient: 'Mallory\u202E', amount: 1 }, description: 'Pay Alice\u202E 1' });
    expect(card().textContent).toContain('Pay Alice⟨U+202E right-to-left override⟩ 1');
    fireEvent.click(screen.getByText('Show JSON'));
    expect(card().textContent).toContain('"recipient": "Mallory⟨U+202E right-to-left override⟩"');
  });

  it.each([
    ['Approve', true],
    ['Deny', false],
  ])('%s answers once, however often it is clicked', async (name, approved) => {
    const { onAnswer } = show();
    await passTime();
    fireEvent.change(screen.getByRole('textbox', { name: 'Reason' }), { target: { value: ' because ' } });
    fireEvent.click(button(name));
    fireEvent.click(button(name));
    expect(onAnswer.mock.calls).toEqual([[{ approved, reason: 'because' }]]);
  });

  it('ignores the second half of a double click on the previous question', () => {
    const { onAnswer } = show();
    fireEvent.click(button('Approve'));
    expect(onAnswer).not.toHaveBeenCalled();
    expect(button('Approve').getAttribute('aria-disabled')).toBe('true');
  });

  it('gives one answer to two clicks that come before it is rendered again', async () => {
    const { onAnswer } = show();
    await passTime();
    act(() => {
      button('Approve').click();
      button('Deny').click();
    });
    expect(onAnswer.mock.calls).toEqual([[{ approved: true }]]);
  });

  it.each([
    ['Control and Enter in the reason approves', { key: 'Enter', ctrlKey: true }, [[{ approved: true }]]],
    ['Command and Enter approves', { key: 'Enter', metaKey: true }, [[{ approved: true }]]],
    ['Control and full stop denies', { key: '.', ctrlKey: true }, [[{ approved: false }]]],
    ['Enter alone does nothing', { key: 'Enter' }, []],
    ['a held key does nothing', { key: 'Enter', ctrlKey: true, repeat: true }, []],
    [
      'a key that ends a composed character does nothing',
      { key: 'Enter', ctrlKey: true, isComposing: true },
      [],
    ],
  ])('%s', async (_, keys, answers) => {
    const { onAnswer } = show();
    await passTime();
    fireEvent.keyDown(screen.getByRole('textbox', { name: 'Reason' }), keys);
    expect(onAnswer.mock.calls).toEqual(answers);
  });

  it('shows its shortcuts on the page and to assistive technology', () => {
    show();
    expect(button('Approve').textContent).toBe('ApproveCtrl ↵');
    expect(button('Approve').getAttribute('aria-keyshortcuts')).toBe('Control+Enter Meta+Enter');
    expect(button('Deny').getAttribute('aria-keyshortcuts')).toBe('Control+Period Meta+Period');
  });

  it('offers no answer to a person who may not answer', async () => {
    const { onAnswer } = show({ mayAnswer: false });
    await passTime();
    expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
    expect(screen.queryByRole('textbox', { name: 'Reason' })).toBeNull();
    expect(card().textContent).toContain("Waiting for someone else. You can't answer this request.");
    fireEvent.keyDown(card(), { key: 'Enter', ctrlKey: true });
    expect(onAnswer).not.toHaveBeenCalled();
  });

  it('starts again with another question: without the previous reason, and guarded again', async () => {
    const { becomes } = show();
    await passTime();
    fireEvent.change(screen.getByRole('textbox', { name: 'Reason' }), { target: { value: 'for the first' } });
    becomes({ id: 'q2' });
    expect(screen.getByRole('textbox', { name: 'Reason' })).toHaveProperty('value', '');
    expect(button('Approve').getAttribute('aria-disabled')).toBe('true');
  });
});

describe('the reason', () => {
  const field = () => document.querySelector<HTMLDetailsElement>('[data-countersign="card-reason"]');

  it('is behind a button at first, and open for an answer to continue with', () => {
    show();
    expect(field()?.open).toBe(false);
    cleanup();
    show({}, { initialAnswer: { approved: false, reason: 'not now' } });
    expect(field()?.open).toBe(true);
  });

  it('is asked for by Deny where the tool wants one; the next Deny sends it', async () => {
    const { onAnswer } = show({ reasonOnDeny: true });
    await passTime();
    fireEvent.click(button(/^Deny/));
    expect(onAnswer).not.toHaveBeenCalled();
    expect(field()?.open).toBe(true);
    const reason = screen.getByRole('textbox', { name: 'Reason' });
    expect(document.activeElement).toBe(reason);
    expect(document.getElementById(reason.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      '(requested when you deny, shared with the assistant)',
    );
    fireEvent.change(reason, { target: { value: 'Not ours.' } });
    fireEvent.click(button(/^Deny/));
    expect(onAnswer.mock.calls).toEqual([[{ approved: false, reason: 'Not ours.' }]]);
  });

  it('is never required: a second Deny without one is sent, and Approve does not ask', async () => {
    const { onAnswer, becomes } = show({ reasonOnDeny: true });
    await passTime();
    fireEvent.click(button(/^Deny/));
    fireEvent.click(button(/^Deny/));
    expect(onAnswer).toHaveBeenLastCalledWith({ approved: false });
    becomes({ id: 'q2' });
    await passTime();
    fireEvent.click(button(/^Approve/));
    expect(onAnswer).toHaveBeenLastCalledWith({ approved: true });
  });
});

describe('a refused answer', () => {
  it.each([
    ['in the words of the error', new Error('It was too late.'), 'It was too late.'],
    [
      'in the words of the server',
      new Error(JSON.stringify({ error: { code: 'expired', message: 'Question q1 has expired.' } })),
      'Question q1 has expired.',
    ],
  ])('is reported %s, and can be sent again', async (_, error, words) => {
    const { onAnswer } = show();
    onAnswer.mockRejectedValueOnce(error);
    await passTime();
    fireEvent.change(screen.getByRole('textbox', { name: 'Reason' }), { target: { value: 'kept' } });
    fireEvent.click(button('Approve'));
    await passTime();
    await passTime();
    expect(screen.getByRole('alert').textContent).toBe(`Your answer wasn't accepted. ${words}`);
    expect(screen.getByRole('textbox', { name: 'Reason' })).toHaveProperty('value', 'kept');
    fireEvent.click(button('Approve'));
    expect(onAnswer).toHaveBeenCalledTimes(2);
  });

  it('can also be reported from outside, and the card continues with what was decided', () => {
    show({}, { failure: 'It does not fit.', initialAnswer: { approved: false, reason: 'not now' } });
    expect(screen.getByRole('alert').textContent).toContain('It does not fit.');
    expect(screen.getByRole('textbox', { name: 'Reason' })).toHaveProperty('value', 'not now');
  });
});

describe('focus', () => {
  it('moves from an empty message box to the card, without an announcement', async () => {
    const page = (isAsked: boolean) => (
      <>
        <textarea aria-label="Message" />
        {isAsked && <ApprovalCard question={question} onAnswer={() => undefined} />}
      </>
    );
    const { rerender } = render(page(false));
    screen.getByRole('textbox', { name: 'Message' }).focus();
    rerender(page(true));
    await passTime();
    expect(document.activeElement).toBe(card());
    expect(spoken()).toBe('');
  });

  it('stays with a person who is typing, and the question is announced instead, once', async () => {
    const page = (isAsked: boolean) => (
      <>
        <textarea aria-label="Message" defaultValue="half a sent" />
        {isAsked && <ApprovalCard question={question} onAnswer={() => undefined} />}
      </>
    );
    const { rerender } = render(page(false));
    const box = screen.getByRole('textbox', { name: 'Message' });
    box.focus();
    rerender(page(true));
    await passTime();
    expect(document.activeElement).toBe(box);
    expect(spoken()).toBe('Approval needed, request 1 of 2. Process payment: Pay Alice 30. high risk');
    expect(document.querySelectorAll('[role="status"] p')).toHaveLength(1);
  });

  it('is not moved if several cards are side by side', async () => {
    show({}, { attention: 'none' });
    await passTime();
    expect(document.activeElement).toBe(document.body);
    expect(spoken()).toBe('');
  });
});

describe('the deadline', () => {
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  const deadline = () => document.querySelector('[data-countersign="card-deadline"]');

  it('is counted down', async () => {
    show({ deadline: inSeconds(3725) });
    await passTime(10);
    expect(deadline()?.textContent).toBe('Expires in 1 h 2 min');
    await passTime(3_600_000);
    expect(deadline()?.textContent).toBe('Expires in 2 min 5 s');
    await passTime(120_000);
    expect(deadline()?.textContent).toBe('Expires in 5 s');
    expect(deadline()?.hasAttribute('data-urgent')).toBe(true);
    await passTime(6000);
    expect(deadline()?.textContent).toBe('Time is up');
  });

  it('is announced at five minutes, at one minute and at 15 seconds, and never in between', async () => {
    show({ deadline: inSeconds(400) });
    const heard: string[] = [];
    for (let second = 0; second < 420; second += 1) {
      await passTime(1000);
      if (spoken() !== '' && spoken() !== heard.at(-1)) heard.push(spoken());
    }
    expect(heard).toEqual([
      'This request expires in 5 minutes.',
      'This request expires in 1 minute.',
      'This request expires in 15 seconds.',
    ]);
  });

  it('is not shown if there is none', () => {
    show();
    expect(deadline()).toBeNull();
  });
});

describe('a question that was settled elsewhere', () => {
  const answer = {
    approved: false,
    reason: 'too much',
    by: { id: 'bob', name: 'Bob' },
    at: '2030-01-01T12:03:00Z',
    via: 'http',
  };

  it.each([
    [{ state: 'denied', answer }, 'Denied by Bob, .+, from the inbox: ?too much'],
    [{ state: 'approved', answer: { ...answer, approved: true } }, 'Approved by Bob'],
    [{ state: 'expired' }, 'Denied: no answer in time'],
    [{ state: 'superseded' }, 'Cancelled by a new message'],
    [{ state: 'cancelled' }, 'Cancelled: the run was stopped'],
  ] as const)('is shown as %j', async (changed, words) => {
    const { becomes } = show();
    await passTime();
    becomes(changed);
    expect(card().textContent).toMatch(new RegExp(words));
    expect(within(card()).queryByRole('button', { name: 'Approve' })).toBeNull();
    expect(card().dataset.state).toBe(changed.state);
  });

  it('is announced once, and the focus stays on the card', async () => {
    const { becomes } = show();
    await passTime();
    button('Approve').focus();
    becomes({ state: 'denied', answer });
    await passTime();
    expect(spoken()).toBe('Process payment: Denied by Bob');
    expect(document.activeElement).toBe(card());
  });

  it('shows what was changed if it was approved with edits', () => {
    const input = { recipient: 'Alice', amount: 20 };
    show({ state: 'approved', answer: { ...answer, approved: true, input } });
    expect(card().textContent).toContain('Approved with edited arguments');
    expect(card().textContent).toContain('was 30 becomes 20');
  });
});

describe('the parts of the card', () => {
  it('render in the order and with the content that they are given, with typed input', () => {
    render(
      <CardFrame question={question} onAnswer={() => undefined} className="mine">
        {({ input }) => (
          <>
            <CardActions>
              <CardApprove className="yes">Pay {input.amount}</CardApprove>
              <CardDeny />
            </CardActions>
            <CardDescription level={3}>To {input.recipient}</CardDescription>
          </>
        )}
      </CardFrame>,
    );
    expect(card().className).toBe('mine');
    expect(button(/^Pay 30/).className).toBe('yes');
    expect(screen.getByRole('heading', { level: 3, name: /^Approval needed: *To Alice$/ })).toBeDefined();
    expect(screen.queryByRole('textbox', { name: 'Reason' })).toBeNull();
  });

  it('use the texts that they are given, and English ones otherwise', () => {
    render(
      <WordsProvider words={{ card: { approve: 'Genehmigen', reason: 'Grund' } }}>
        <ApprovalCard question={question} onAnswer={() => undefined} />
      </WordsProvider>,
    );
    expect(button('Genehmigen')).toBeDefined();
    expect(button('Deny')).toBeDefined();
    expect(screen.getByRole('textbox', { name: 'Grund' })).toBeDefined();
  });

  it('use the texts of the nearest provider, and those of the ones around it for the rest', () => {
    render(
      <WordsProvider words={{ card: { approve: 'Genehmigen', deny: 'Ablehnen' } }}>
        <WordsProvider words={{ card: { approve: 'Freigeben' } }}>
          <ApprovalCard question={question} onAnswer={() => undefined} />
        </WordsProvider>
      </WordsProvider>,
    );
    expect(button('Freigeben')).toBeDefined();
    expect(button('Ablehnen')).toBeDefined();
  });

  it('name their parent in an error when they are outside of a card', () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    expect(() => render(<CardApprove />)).toThrow('outside');
  });
});

describe('calls that failed before', () => {
  const earlier = [
    { toolCallId: 'one', toolName: 'customer_search', outcome: 'failed', error: 'The index is broken.' },
    { toolCallId: 'two', toolName: 'pay', title: 'Payment', outcome: 'unknown' },
  ] as const;
  const said = ['Customer search: failed. The index is broken.', 'Payment: outcome unknown.'];
  const shown = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent);

  it('are listed before the buttons, and describe the card to assistive technology', () => {
    show({ earlier });
    expect(shown()).toEqual(said);
    const list = screen.getByRole('list');
    expect(list.compareDocumentPosition(button('Approve')) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(card().getAttribute('aria-describedby')).toBe(list.id);
  });

  it('are read out with the question', () => {
    expect(defaultCardWords.spoken({ ...question, earlier })).toContain(
      'Customer search: failed. The index is broken. Payment: outcome unknown. ',
    );
  });

  it('are not shown once the question is settled', () => {
    show({ earlier, state: 'cancelled' });
    expect(shown()).toEqual([]);
  });

  it('are read from a stored message, and left out if they are not understood', () => {
    const { earlier: read } = parseDescriptor({ earlier }, 'pay');
    expect(read).toEqual(earlier);
    expect(
      parseDescriptor({ earlier: [{ toolName: 'pay', outcome: 'odd' }] }, 'pay').earlier,
    ).toBeUndefined();
  });
});

describe('the time of asking', () => {
  const requestedAt = '2030-01-01T11:37:00.000Z';
  const waiting = () => document.querySelector('[data-countersign="card-waiting"]');

  it('is shown as the time that the question has waited, which grows; the exact time is its title', async () => {
    show({ requestedAt });
    expect(waiting()?.textContent).toBe('Waiting for 23 minutes');
    const time = waiting()?.querySelector('time');
    expect(time?.dateTime).toBe(requestedAt);
    expect(time?.title).toBe(defaultCardWords.moment(new Date(requestedAt)));
    await passTime(60_000);
    expect(waiting()?.textContent).toBe('Waiting for 24 minutes');
  });

  it.each([
    ['2030-01-01T11:59:50Z', 'Waiting for less than a minute'],
    ['2030-01-01T12:00:50Z', 'Waiting for less than a minute'],
    ['2030-01-01T11:59:00Z', 'Waiting for 1 minute'],
    ['2030-01-01T10:30:00Z', 'Waiting for 1 hour'],
    ['2029-12-30T10:30:00Z', 'Waiting for 2 days'],
  ])('is shown in its largest unit: %s, %s', (at, words) => {
    show({ requestedAt: at });
    expect(waiting()?.textContent).toBe(words);
  });

  it('is not shown where it is not known, nor for a settled question', () => {
    const { becomes } = show();
    expect(waiting()).toBeNull();
    becomes({ requestedAt, state: 'approved' });
    expect(waiting()).toBeNull();
  });
});

describe('a repetition', () => {
  const repeatOf = { at: '2030-01-01T11:58:00Z', outcome: 'completed' } as const;
  const described = () => card().getAttribute('aria-describedby');

  it('is shown before the buttons, and describes the card to assistive technology', () => {
    show({ repeatOf });
    const note = screen.getByText('The same request ran 2 minutes ago.');
    expect(note.compareDocumentPosition(button('Approve')) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(document.getElementById(described() ?? '')?.textContent).toBe(
      'The same request ran 2 minutes ago.',
    );
    expect(note.getAttribute('datetime')).toBe(repeatOf.at);
  });

  it('leads to the earlier call where the page knows its address', () => {
    const repeatHref = ({ chatId }: Repeat) => chatId && `/chats/${chatId}`;
    show({ repeatOf: { ...repeatOf, chatId: 'other', toolCallId: 'c0' } }, { repeatHref });
    const link = screen.getByRole('link', { name: 'View it' });
    expect(link.getAttribute('href')).toBe('/chats/other');
    expect(document.getElementById(described() ?? '')?.textContent).toContain('ran 2 minutes ago. View it');
  });

  it('has no link for a person who may not see that chat', () => {
    show({ repeatOf }, { repeatHref: ({ chatId }) => chatId });
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('shows the growing time while the card is open', async () => {
    show({ repeatOf });
    await passTime(60_000);
    expect(screen.getByText('The same request ran 3 minutes ago.')).toBeTruthy();
  });

  it('is announced with the question to a person who is typing', async () => {
    const message = document.createElement('textarea');
    document.body.append(message);
    message.value = 'I am writing';
    message.focus();
    show({ repeatOf });
    await passTime();
    expect(spoken()).toContain('The same request ran 2 minutes ago. high risk');
  });

  it('disappears with the question, and is not shown for the first call of its kind', () => {
    const { becomes } = show({ repeatOf });
    becomes({ state: 'approved' });
    expect(screen.queryByText(/The same request/)).toBeNull();
    becomes({ id: 'q2', repeatOf: undefined });
    expect(described()).toBeNull();
  });
});
