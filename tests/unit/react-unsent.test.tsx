// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { type CallView, forgetUnsent, type Question, ToolCard } from 'countersign/react';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { loaded, onCardPage, questionOf } from '../support/card-fixture.ts';
import { FormCard } from '../support/form-card.ts';

const question = questionOf({
  description: 'Pay Bob 40.',
  mayEdit: true,
  input: { to: 'Bob', amount: 40, token: '[redacted]' },
});
const schema = async () =>
  z.toJSONSchema(z.object({ to: z.string(), amount: z.number(), token: z.string() }));
const by = { id: 'ben', name: 'Ben' };
const elsewhere = { approved: false, by, at: '2026-01-02T03:04:05Z', via: 'http' };

onCardPage();

/** The page with one card, as after a reload. */
async function opened(given: Partial<Question> = {}, onAnswer: () => unknown = () => {}) {
  cleanup();
  const page = (more: Partial<Question>) => (
    <FormCard
      question={{ ...question, ...given, ...more }}
      onAnswer={onAnswer}
      loadInputSchema={schema}
      loadPreview={async () => undefined as never}
    />
  );
  const { rerender } = render(page({}));
  await loaded();
  return async (more: Partial<Question>) => {
    rerender(page(more));
    await loaded();
  };
}

const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = async (name: RegExp) => {
  fireEvent.click(screen.getByRole('button', { name }));
  await loaded();
};
const notSent = () => document.querySelector('[data-countersign="not-sent"]')?.textContent;
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;

/** A reason and an edit, typed and not sent. */
async function typed(onAnswer?: () => unknown) {
  const change = await opened({}, onAnswer);
  fireEvent.click(screen.getByText('Add a reason'));
  type('Reason', 'Wrong payee');
  await press(/^Edit/);
  type('Amount', '41');
  await loaded();
  return change;
}

const edited = { to: 'Bob', amount: 41, token: '[redacted]' };

/** The card of an answer that was sent while the connection was lost. */
async function unconfirmed() {
  render(
    <FormCard
      question={question}
      onAnswer={() => {}}
      initialAnswer={{ approved: true, reason: 'As agreed', input: edited }}
      failure={{ kind: 'unconfirmed', title: 'Not confirmed', detail: 'Your answer may not have arrived.' }}
      loadInputSchema={() => Promise.reject(new TypeError('fetch failed'))}
    />,
  );
  await loaded();
}

describe('a reason and an edit that were not sent', () => {
  it('are there again after a reload, and the approval has them', async () => {
    await typed();
    const onAnswer = vi.fn();
    await opened({}, onAnswer);
    expect([field('Reason'), field('Amount')]).toEqual(['Wrong payee', '41']);
    await press(/^Approve edited/);
    expect(onAnswer).toHaveBeenCalledWith({ approved: true, reason: 'Wrong payee', input: edited });
    await opened();
    expect(field('Reason')).toBe('');
    expect(screen.queryByLabelText('Amount')).toBeNull();
  });

  it('are shown as not sent when another person was first, until they are discarded', async () => {
    const change = await typed();
    await change({ state: 'denied', answer: elsewhere });
    expect(notSent()).toMatch(/^Not sentWrong payee\s+\{[\s\S]*"amount": 41/);
    const copied: string[] = [];
    vi.stubGlobal('navigator', { clipboard: { writeText: async (text: string) => void copied.push(text) } });
    await press(/^Copy/);
    vi.unstubAllGlobals();
    expect(copied).toEqual([expect.stringContaining('Wrong payee')]);
    screen.getByRole('button', { name: 'Copied' });
    await press(/^Discard/);
    expect(notSent()).toBeUndefined();
    await opened({ state: 'denied', answer: elsewhere });
    expect(notSent()).toBeUndefined();
  });

  it('are shown with the call in the chat', async () => {
    await typed();
    cleanup();
    const { input } = question;
    const approval = { id: 'q1', approved: false };
    const call: CallView = {
      toolCallId: 'c1',
      toolName: 'pay',
      title: 'Pay',
      state: 'denied',
      input,
      approval,
    };
    render(<ToolCard call={call} />);
    expect(notSent()).toMatch(/^Not sentWrong payee/);
    expect(document.querySelector('details')?.open).toBe(true);
  });

  it('are kept when the answer was refused', async () => {
    await typed(() => {
      throw new Error('Amount too high.');
    });
    await press(/^Approve edited/);
    await opened();
    expect([field('Reason'), field('Amount')]).toEqual(['Wrong payee', '41']);
  });

  it('are kept when the answer was lost with the connection, even if the form cannot be loaded', async () => {
    await unconfirmed();
    expect(screen.queryByLabelText('Amount')).toBeNull();
    await opened();
    expect([field('Reason'), field('Amount')]).toEqual(['As agreed', '41']);
  });

  it.each([
    ['both', 'As agreed', edited, undefined],
    ['the edit only', 'Other', edited, /^Not sentAs agreed(Copy|$)/],
    ['the reason only', 'As agreed', { ...edited, amount: 42 }, /^Not sent\{[\s\S]*41/],
  ])('are not called unsent if they arrived after all: %s', async (_, reason, input, shown) => {
    await unconfirmed();
    const answer = { ...elsewhere, approved: true, reason, input };
    await opened({ state: 'approved', answer });
    const inCard = notSent();
    cleanup();
    const approval = { id: 'q1', approved: true, reason };
    const names = { toolCallId: 'c1', toolName: 'pay', title: 'Pay' };
    render(
      <ToolCard call={{ ...names, state: 'done', input, proposedInput: question.input, approval, answer }} />,
    );
    for (const text of [inCard, notSent()])
      if (shown) expect(text).toMatch(shown);
      else expect(text).toBeUndefined();
  });

  it('are forgotten with the edit, and for the next person', async () => {
    await typed();
    await press(/^Cancel editing/);
    await opened();
    expect(screen.queryByLabelText('Amount')).toBeNull();
    expect(field('Reason')).toBe('Wrong payee');
    forgetUnsent();
    await opened();
    expect(field('Reason')).toBe('');
  });

  it('never have a secret that was typed', async () => {
    await opened();
    await press(/^Edit/);
    await press(/^Replace/);
    type('Token', 'tk-secret');
    type('Amount', '41');
    await loaded();
    expect(JSON.stringify({ ...sessionStorage })).toContain('41');
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('tk-secret');
  });
});
