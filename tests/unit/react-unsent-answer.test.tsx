// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { ApprovalCard, parseDescriptor, type Question, UnconfirmedAnswerError } from 'countersign/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { passTime } from '../support/card-fixture.ts';

const question: Question = {
  ...parseDescriptor({ description: 'Pay Alice 30' }, 'pay'),
  ...{ id: 'q1', chatId: 'chat', toolCallId: 'c1', toolName: 'pay', input: {}, state: 'open' },
};

let isOnline = true;

async function network(isThere: boolean) {
  isOnline = isThere;
  await act(async () => void fireEvent(window, new Event(isThere ? 'online' : 'offline')));
}

/** A card that accepts answers. */
async function openCard() {
  const onAnswer = vi.fn();
  const card = (given: Partial<Question> = {}) => (
    <ApprovalCard question={{ ...question, ...given }} onAnswer={onAnswer} />
  );
  const { rerender } = render(card());
  await passTime(1_000);
  return { onAnswer, becomes: (given: Partial<Question>) => rerender(card(given)) };
}

/** The states in which the message is scrolled into view, if it ends there and the answers begin at 500. */
function scrolledFrom(bottom: number): readonly string[] {
  const scrolled: string[] = [];
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue({ top: 500, bottom } as DOMRect);
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element, where) {
    const { countersign: part, state = '' } = (this as HTMLElement).dataset;
    if (part === 'card-delivery' && typeof where === 'object' && where.block === 'center')
      scrolled.push(state);
  });
  return scrolled;
}

const press = (name: string | RegExp) =>
  act(async () => fireEvent.click(screen.getByRole('button', { name })));
const delivery = () => document.querySelector('[data-countersign="card-delivery"]');
const focused = () => document.activeElement?.getAttribute('data-countersign');

beforeEach(() => {
  isOnline = true;
  vi.useFakeTimers({ now: Date.parse('2030-01-01T12:00:00Z') });
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline);
  Element.prototype.scrollIntoView = () => undefined;
});
afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('an answer while the page has lost its server', () => {
  it('is not sent, not even when the connection is back, unless the person chose that, and the card still says so', async () => {
    const { onAnswer } = await openCard();
    expect(delivery()).toBeNull();
    await network(false);
    expect(delivery()?.textContent).toContain("Answers can't be sent now");
    await press(/^Approve/);
    expect(delivery()?.textContent).toContain('Approval not sent');
    await network(true);
    await passTime(5_000);
    expect(onAnswer).not.toHaveBeenCalled();
    expect(delivery()?.textContent).toBe(
      'Approval not sent: there was no connection. Approve or deny again.',
    );
    await press(/^Approve/);
    expect(onAnswer).toHaveBeenCalledTimes(1);
    expect(delivery()).toBeNull();
  });

  it('is sent once when the connection is back, if the person chose that, with its reason', async () => {
    const { onAnswer } = await openCard();
    await network(false);
    fireEvent.change(screen.getByLabelText(/Reason/), { target: { value: 'Too much.' } });
    await press(/^Deny/);
    await press('Send when connected');
    expect(focused()).toBe('card-take-back');
    await passTime(20_000);
    expect(delivery()?.textContent).toContain('Denial not sent yet');
    expect(delivery()?.textContent).toContain('within 40 s');
    expect(screen.getByRole('button', { name: /^Approve/ }).getAttribute('aria-disabled')).toBe('true');
    await press(/^Approve/);
    await network(true);
    await network(false);
    await network(true);
    expect(onAnswer.mock.calls).toEqual([[{ approved: false, reason: 'Too much.' }]]);
  });

  it.each([
    [
      'is brought into view with each change if the answers cover it, as on a phone',
      600,
      ['unsent', 'queued', 'dropped'],
    ],
    ['scrolls nothing if it can be seen', 400, []],
  ])('%s', async (_, bottom, expected) => {
    await openCard();
    const scrolled = scrolledFrom(bottom);
    await network(false);
    await press(/^Approve/);
    await press('Send when connected');
    await passTime(60_000);
    expect(scrolled).toEqual(expected);
  });

  it('can be discarded', async () => {
    const { onAnswer } = await openCard();
    await network(false);
    await press(/^Approve/);
    await press('Send when connected');
    await press('Discard');
    expect(focused()).toBe('card');
    await network(true);
    await passTime(1_000);
    expect(onAnswer).not.toHaveBeenCalled();
  });

  it('is dropped when it has waited for a minute, and the choice is given again', async () => {
    const { onAnswer } = await openCard();
    await network(false);
    await press(/^Approve/);
    await press('Send when connected');
    await passTime(60_000);
    expect(delivery()?.textContent).toContain('Approval not sent: there was no connection.');
    await network(true);
    expect(onAnswer).not.toHaveBeenCalled();
    expect(delivery()?.textContent).toContain('Approve or deny again');
    await press(/^Deny/);
    expect(onAnswer.mock.calls).toEqual([[{ approved: false }]]);
    expect(delivery()).toBeNull();
  });

  it('is dropped if the machine was asleep for that minute, so that no timer has fired', async () => {
    const { onAnswer } = await openCard();
    await network(false);
    await press(/^Approve/);
    await press('Send when connected');
    vi.setSystemTime(Date.now() + 60_000);
    await network(true);
    expect(onAnswer).not.toHaveBeenCalled();
    expect(delivery()?.textContent).toContain('Approve or deny again');
  });

  it('is dropped when the question is decided elsewhere', async () => {
    const { onAnswer, becomes } = await openCard();
    await network(false);
    await press(/^Approve/);
    await press('Send when connected');
    await act(async () => becomes({ state: 'denied' }));
    await network(true);
    expect(onAnswer).not.toHaveBeenCalled();
    expect(delivery()).toBeNull();
  });
});

describe('an answer that failed', () => {
  it.each([
    ['refused', new Error('Amount too high.'), "Your answer wasn't accepted. Amount too high."],
    [
      'without a confirmation',
      new UnconfirmedAnswerError('Not confirmed. Answer again.'),
      'Not confirmed. Answer again.',
    ],
  ])('is %s: the card says so', async (_, error, words) => {
    const { onAnswer } = await openCard();
    onAnswer.mockRejectedValue(error);
    await press(/^Approve/);
    expect(screen.getByRole('alert').textContent).toBe(words);
  });

  it.each([
    ['unconfirmed', 'Not confirmed. Unknown.'],
    ['not-received', 'Not confirmed. Unknown.'],
    ['refused', "Your answer wasn't accepted. Unknown."],
    ['network', ''],
  ] as const)('with the failure %s of the chat says “%s”', (kind, words) => {
    const failure = { kind, title: 'Not confirmed', detail: 'Unknown.' };
    render(<ApprovalCard question={question} onAnswer={() => {}} failure={failure} />);
    expect(screen.getByRole('alert').textContent).toBe(words);
  });

  it('shows an outcome that became known later', async () => {
    const card = (title: string) => (
      <ApprovalCard
        question={question}
        onAnswer={() => {}}
        failure={{ kind: 'not-received', title, detail: '' }}
      />
    );
    const { rerender } = render(card('Not confirmed'));
    await passTime(1_000);
    rerender(card('Not received'));
    expect(screen.getByRole('alert').textContent).toContain('Not received');
  });
});
